import { Buffer, isAscii } from 'node:buffer';
import { fingerprintText } from '@ctx/core/encoding';
import type { LaneRequest } from '../conversations/registry.ts';
import type { ClientMessage, Dialect, Headers } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import { withMember } from '../json/json-spans.ts';
import { readTool } from '../read-back/read-tool.ts';
import { elementTexts, memberText, type RequestBody, readBody } from '../requests/request-body.ts';

/** A request of a client. */
export interface ClientRequest {
  /** With the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Headers;
  /** The body, without any encoding. */
  readonly body: Uint8Array;
}

/** How a conversation begins: up to the user's first words, and up to the model's first answer. */
interface Beginning {
  /** What it says up to the user's first words, hashed. */
  readonly firstKey: string;
  /** The messages up to the first answer, hashed, that one included. */
  readonly startKeys: readonly string[];
  readonly isAnswered: boolean;
}

/** A request of a conversation, read as far as its lane can be found. */
export interface OpenedRequest extends LaneRequest, Beginning {
  readonly body: RequestBody;
  readonly elements: readonly string[];
  /** Whether the client left out the tools of the conversation to have it summed up. */
  readonly isBare: boolean;
  /** What the client wrote, if the tools were put back into `body`. */
  readonly given?: string;
}

/** The messages up to the first answer; `undefined` if one of them cannot be read. */
function startOf(dialect: Dialect, elements: readonly string[]): ClientMessage[] | undefined {
  const start: ClientMessage[] = [];
  for (let from = 0; from < elements.length; ) {
    const length = dialect.lengthOfMessage?.(elements, from) ?? 1;
    const read = dialect.read(elements.slice(from, from + length));
    if (read === undefined) return undefined;
    start.push(read);
    if (read.message.role === 'assistant') break;
    from += length;
  }
  return start;
}

function beginningOf(dialect: Dialect, elements: readonly string[]): Beginning | undefined {
  const start = startOf(dialect, elements) ?? [];
  const startKeys = start.map(({ key }) => key);
  const first = start.findIndex(({ message }) => message.role !== 'system');
  const [only, ...others] = first < 0 ? startKeys : startKeys.slice(0, first + 1);
  if (only === undefined) return undefined;
  const firstKey = others.length === 0 ? only : fingerprintText([only, ...others].join());
  return { firstKey, startKeys, isAnswered: start.at(-1)?.message.role === 'assistant' };
}

/** What programs are called that do not say what they are: one may end where its model calls a tool that it does not know. */
const unnamedClient = 'program';

/** Whether one more tool can be offered: the list is there, and has none of that name. */
function canHaveTool(body: RequestBody): boolean {
  const tools = memberText(body, 'tools');
  return tools !== undefined && !tools.includes(`"${readTool.name}"`);
}

/** The request with the tools of its conversation, none of which the model may call: so it begins as the one before. */
export function withToolsBack(opened: OpenedRequest, tools: string | undefined): OpenedRequest {
  if (!opened.isBare || tools === undefined) return opened;
  const given = opened.body.text;
  const text = withMember(withMember(given, 'tools', tools), 'tool_choice', '"none"');
  return { ...opened, body: readBody(text), given };
}

/** So many of the last messages may bear marks. */
const marked = 4;

/** Whether marks for the cache ask for an hour. */
function asksForAnHour(body: RequestBody, { system }: Dialect, elements: readonly string[]) {
  const isHour = (text: string | undefined): boolean => /"ttl"\s*:\s*"1h"/.test(text ?? '');
  return isHour(memberText(body, system)) || elements.slice(-marked).some(isHour);
}

/**
 * Returns the text of a body.
 * @throws TypeError if it is not UTF-8.
 */
function textOf(bytes: Uint8Array): string {
  // Source code mostly is ASCII, and that is read in a fifth of the time.
  if (isAscii(bytes))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function hasLargeWindow(model: string, headers: Headers): boolean {
  return headers['anthropic-beta']?.includes('context-1m') === true || model.endsWith('[1m]');
}

/**
 * Reads a request; `undefined` for one that is passed on. `read` cuts its body.
 * @throws SyntaxError for what is no JSON.
 */
export function openRequest(
  { path, headers, body: bytes }: ClientRequest,
  read: typeof readBody,
): OpenedRequest | undefined {
  const dialect = dialectOf(path);
  if (dialect === undefined) return undefined;
  const body = read(textOf(bytes));
  const isBare = dialect.isBareCompaction?.(body, headers) === true;
  if (!isBare && dialect.isAside(body)) return undefined;
  const elements = elementTexts(body, dialect.list);
  const beginning = beginningOf(dialect, elements);
  if (beginning === undefined) return undefined;
  const model = dialect.modelOf(body, path);
  const caller = dialect.callerOf(body, headers);
  return {
    dialect,
    body,
    elements,
    isBare,
    model,
    ...beginning,
    caller,
    isHour: asksForAnHour(body, dialect, elements),
    keepsThinking: memberText(body, 'context_management')?.includes('clear_thinking') === true,
    canHaveTool: caller.client !== unnamedClient && canHaveTool(body),
    isLargeWindow: hasLargeWindow(model, headers),
  };
}
