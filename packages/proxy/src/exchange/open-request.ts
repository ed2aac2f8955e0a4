import type { LaneRequest } from '../conversations/registry.ts';
import type { Dialect, Headers } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import { copyOf, withMember } from '../json/json-spans.ts';
import { readTool } from '../read-back/read-tool.ts';
import {
  createBodyReader,
  elementTexts,
  memberText,
  type ReadBody,
  type RequestBody,
  readBody,
} from '../requests/request-body.ts';
import { type Beginning, createBeginningReader, type ReadBeginning } from './beginning.ts';

/** A request of a client. */
export interface ClientRequest {
  /** With the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Headers;
  /** The body, without any encoding. It is kept to compare the next one with, so it must not change. */
  readonly body: Uint8Array;
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

/** How requests are read: what earlier ones began with is not read again. */
export interface RequestReaders {
  readonly body: ReadBody;
  readonly beginning: ReadBeginning;
}

export function createRequestReaders(): RequestReaders {
  return { body: createBodyReader(), beginning: createBeginningReader() };
}

/** What programs are called that do not say what they are: one may end where its model calls a tool that it does not know. */
const unnamedClient = 'program';

/** Whether one more tool can be offered: the list is there, and has none of that name. */
function canHaveTool(body: RequestBody): boolean {
  const tools = memberText(body, 'tools');
  return tools !== undefined && !tools.includes(`"${readTool.name}"`);
}

/**
 * JSON of the tools that a request comes with: the same string if it is that of the request before. None where no client leaves them out, so
 * that they need not be kept.
 */
export function toolsOf(
  { body, dialect }: OpenedRequest,
  before: string | undefined,
): string | undefined {
  if (dialect.isBareCompaction === undefined) return undefined;
  const tools = memberText(body, 'tools') ?? '[]';
  return tools === before ? before : copyOf(tools);
}

/** The request with the tools of its conversation, none of which the model may call: so it begins as the one before. */
export function withToolsBack(opened: OpenedRequest, tools: string | undefined): OpenedRequest {
  if (!opened.isBare || tools === undefined) return opened;
  const given = opened.body.slice();
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

function hasLargeWindow(model: string, headers: Headers): boolean {
  return headers['anthropic-beta']?.includes('context-1m') === true || model.endsWith('[1m]');
}

/**
 * Reads a request; `undefined` for one that is passed on.
 * @throws SyntaxError for what is no JSON.
 */
export function openRequest(
  { path, headers, body: bytes }: ClientRequest,
  read: RequestReaders,
): OpenedRequest | undefined {
  const dialect = dialectOf(path);
  if (dialect === undefined) return undefined;
  const body = read.body(bytes);
  const isBare = dialect.isBareCompaction?.(body, headers) === true;
  if (!isBare && dialect.isAside(body)) return undefined;
  const elements = elementTexts(body, dialect.list);
  const beginning = read.beginning(dialect, elements);
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
