import { fingerprintText } from '@ctx/core/encoding';
import type { LaneRequest } from '../conversations/registry.ts';
import type { Dialect, Headers } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import { elementTexts, type RequestBody, readBody } from '../requests/request-body.ts';

/** A request of a client. */
export interface ClientRequest {
  /** With the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Headers;
  /** The body, without any encoding. */
  readonly body: Uint8Array;
}

/** A request of a conversation, read as far as its lane can be found. */
export interface OpenedRequest extends LaneRequest {
  readonly body: RequestBody;
  readonly elements: readonly string[];
}

/** What a conversation says up to the user's first words, hashed. */
function keyOfStart(dialect: Dialect, elements: readonly string[]): string | undefined {
  const keys: string[] = [];
  for (let from = 0; from < elements.length; ) {
    const length = dialect.lengthOfMessage?.(elements, from) ?? 1;
    const read = dialect.read(elements.slice(from, from + length));
    if (read === undefined) return undefined;
    keys.push(read.key);
    if (read.message.role !== 'system') break;
    from += length;
  }
  const [first] = keys;
  return keys.length < 2 ? first : fingerprintText(keys.join());
}

/** Reads a request; `undefined` for one that is passed on. @throws SyntaxError for what is no JSON. */
export function openRequest({
  path,
  headers,
  body: bytes,
}: ClientRequest): OpenedRequest | undefined {
  const dialect = dialectOf(path);
  if (dialect === undefined) return undefined;
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const body = readBody(text);
  if (dialect.isAside(body)) return undefined;
  const elements = elementTexts(body, dialect.list);
  const firstKey = keyOfStart(dialect, elements);
  if (firstKey === undefined) return undefined;
  const model = dialect.modelOf(body, path);
  return {
    dialect,
    body,
    elements,
    model,
    firstKey,
    caller: dialect.callerOf(body, headers),
    isHour: /"ttl"\s*:\s*"1h"/.test(
      text.slice(body.members.get(dialect.system)?.start ?? text.length),
    ),
    isLargeWindow:
      headers['anthropic-beta']?.includes('context-1m') === true || model.endsWith('[1m]'),
  };
}
