import { CtxError } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { type ContextStore, readCharacters, readLines } from '@ctx/store';
import { messagesText, sessionLog } from '@ctx/truncation';
import { loadOutput } from '../read-back/answer-read.ts';
import type { ListedResource, ResourceAnswer } from './host-types.ts';
import { addressOf, type OutputAddress, outputAddress } from './output-address.ts';

/** Whose outputs are resources. */
export interface ResourceHost {
  readonly store: ContextStore;
  /** Only outputs of this session; left out: of all sessions of the tenant. */
  readonly sessionId?: string;
}

/** Most characters of one answer; what is longer is read on by lines. */
export const maxResourceCharacters = 1_000_000;

/** Most outputs that are listed: the newest of the session. */
const maxListed = 100;

interface Content {
  readonly text: string;
  readonly mimeType: string;
}

/** The session that an address may be read in. Another one is as unknown as one that is not there. */
function scopeOf({ sessionId: own }: ResourceHost, named: string | undefined): string | undefined {
  if (own === undefined || named === undefined || named === own) return named ?? own;
  throw new CtxError('CTX_NOT_FOUND', 'there is no such output');
}

async function outputContent(
  { store }: ResourceHost,
  pointer: string,
  sessionId?: string,
): Promise<Content> {
  const { result } = await loadOutput(store, pointer, sessionId);
  const mimeType = typeof result === 'string' ? 'text/plain' : 'application/json';
  return { text: outputText(result), mimeType };
}

async function contentOf(host: ResourceHost, address: OutputAddress): Promise<Content> {
  const sessionId = scopeOf(host, address.sessionId);
  const { store } = host;
  if (!address.isMessages) return outputContent(host, address.pointer, sessionId);
  if (sessionId === undefined) throw new CtxError('CTX_NOT_FOUND', 'no session is connected');
  const log = sessionLog(store, sessionId);
  const output = await log.outputAt(address.pointer);
  if (output !== undefined) return outputContent(host, output, sessionId);
  const messages = await log.messagesAt(address.pointer);
  return { text: messagesText(messages), mimeType: 'text/plain' };
}

/**
 * Reads a stored output as a resource: whole, byte for byte, or the lines or characters that the address asks for (`?from=10&to=20`,
 * `?characters=1-12000`).
 * At most `maxResourceCharacters`; where that or the range ends before the text does, `_meta` says the next line, or the rest of a long
 * line.
 * @throws `CTX_NOT_FOUND`, also for what another session has; `CTX_INVALID_INPUT`.
 */
export async function readResource(host: ResourceHost, uri: string): Promise<ResourceAnswer> {
  const address = addressOf(uri);
  const { text, mimeType } = await contentOf(host, address);
  const { from = 1, to } = address;
  if (address.characters !== undefined) {
    const { text: part, ...read } = readCharacters(text, address.characters, maxResourceCharacters);
    const _meta: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(read)) _meta[`ctx/${name}`] = value;
    return { contents: [{ uri, mimeType, text: part, _meta }] };
  }
  const isWhole = address.from === undefined && to === undefined;
  if (isWhole && text.length <= maxResourceCharacters)
    return { contents: [{ uri, mimeType, text }] };
  const range = { from, maxCharacters: maxResourceCharacters, wrapAt: maxResourceCharacters };
  const read = readLines(text, to === undefined ? range : { ...range, to });
  const { totalLines, nextLine, rest } = read;
  const place = { 'ctx/from': read.from, 'ctx/to': read.to, 'ctx/totalLines': totalLines };
  const next = nextLine === undefined ? {} : { 'ctx/nextLine': nextLine };
  const more = rest === undefined ? next : { ...next, 'ctx/rest': rest };
  return { contents: [{ uri, mimeType, text: read.text, _meta: { ...place, ...more } }] };
}

/** The newest outputs of the session as resources, newest first; none where no session is connected. */
export async function listResources({
  store,
  sessionId,
}: ResourceHost): Promise<{ resources: ListedResource[] }> {
  if (sessionId === undefined) return { resources: [] };
  const newest: ListedResource[] = [];
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await store.outputs.pointers({ sessionId, limit: 1000, ...place });
    newest.push(...page.entries.map((pointer) => linkOf(pointer)));
    newest.splice(0, Math.max(0, newest.length - maxListed));
    after = page.next;
  } while (after !== undefined);
  return { resources: newest.toReversed() };
}

/** What is told of an output that can be read. */
export function linkOf(pointer: {
  readonly id: string;
  readonly sessionId: string;
  readonly toolName: string;
  readonly toolDescription: string;
  readonly bytes: number;
}): ListedResource {
  const { id, sessionId, toolName, toolDescription, bytes } = pointer;
  const uri = outputAddress(sessionId, id);
  return { uri, name: toolName, description: toolDescription, size: bytes };
}
