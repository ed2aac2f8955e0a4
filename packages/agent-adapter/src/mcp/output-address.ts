import { CtxError } from '@ctx/core';

/** What an address such as `ctx://session/id?from=10&to=20` names. */
export interface OutputAddress {
  /** The session; `undefined` for the one that is connected, as in `ctx://outputs/<id>`. */
  readonly sessionId?: string;
  /** The id of the output; the whole address where it names messages. */
  readonly pointer: string;
  readonly isMessages: boolean;
  /** First line, from 1. */
  readonly from?: number;
  /** Last line, inclusive. */
  readonly to?: number;
  /** Characters instead of lines, such as `1-12000`. */
  readonly characters?: string;
}

/** Addresses as they stand in a conversation: they belong to the session that is connected. */
const ownPlaces: ReadonlySet<string> = new Set(['outputs', 'messages']);

/** The form of the addresses of outputs. */
export const outputTemplate: string = 'ctx://{session}/{id}';

/** The address of an output as a resource. `addressOf` reads it back, whatever the session's name. */
export function outputAddress(sessionId: string, outputId: string): string {
  const name = encodeURIComponent(sessionId);
  // A session of such a name is told from the place by its last letter.
  return `ctx://${ownPlaces.has(name) ? `${name.slice(0, -1)}%73` : name}/${outputId}`;
}

function lineOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new CtxError('CTX_INVALID_ADDRESS', `${name} must be the number of a line, from 1`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CtxError('CTX_INVALID_ADDRESS', 'this address is not encoded well');
  }
}

/** Its place and id. */
function partsOf(path: string): readonly [place: string, id: string] {
  const [place = '', id = '', ...rest] = path.split('/');
  if (place !== '' && id !== '' && rest.length === 0) return [place, id];
  throw new CtxError('CTX_INVALID_ADDRESS', 'an address looks like ctx://<session>/<id>');
}

/**
 * Reads the address of a resource.
 * @throws `CTX_INVALID_INPUT`.
 */
export function addressOf(uri: string): OutputAddress {
  const start = 'ctx://';
  if (!uri.startsWith(start)) throw new CtxError('CTX_INVALID_ADDRESS', 'no address of ctx');
  const [path = '', query = ''] = uri.slice(start.length).split('?', 2);
  const [place, id] = partsOf(path);
  const lines = new URLSearchParams(query);
  const [from, to] = [lineOf(lines, 'from'), lineOf(lines, 'to')];
  const characters = lines.get('characters');
  const isMessages = place === 'messages';
  return {
    ...(ownPlaces.has(place) ? {} : { sessionId: decoded(place) }),
    pointer: isMessages ? start + path : id,
    isMessages,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(characters === null ? {} : { characters }),
  };
}
