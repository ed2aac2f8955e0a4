import { isRecord } from '@ctx/core/encoding';
import { withLast } from '../../json/json-spans.ts';
import { at, numberAt, parsed, textAt } from '../../json/values.ts';
import {
  elementTexts,
  memberText,
  memberValue,
  type RequestBody,
} from '../../requests/request-body.ts';
import type { Caller, ClientMessage, Dialect, Headers } from '../dialect.ts';
import { keyOfMessage } from '../message-key.ts';
import { kindOfItem, readItem } from './items.ts';
import { writeItem } from './write-item.ts';

/** What one response holds is one message, and the results that come next to each other are one. */
function lengthOfMessage(elements: readonly string[], from: number): number {
  const kind = kindOfItem(elements[from] ?? '{}');
  if (kind === 'alone') return 1;
  let end = from + 1;
  while (end < elements.length && kindOfItem(elements[end] ?? '{}') === kind) end += 1;
  return end - from;
}

function read(raw: readonly string[]): ClientMessage | undefined {
  const items = raw.map(readItem);
  const known = items.filter((item) => item !== undefined);
  const role = known[0]?.role;
  if (role === undefined || known.length < items.length) return undefined;
  const message = { role, content: known.flatMap(({ content }) => content) };
  const parts = known.flatMap((item) => item.parts);
  return { message, key: keyOfMessage(message), raw, parts };
}

/** Codex numbers the windows of a thread: the next one begins with a summary. */
function codexWindow(headers: Headers, thread: string): string {
  const window = Number(headers['x-codex-window-id']?.split(':').at(-1) ?? 0);
  return Number.isSafeInteger(window) && window > 0 ? `${thread}-${String(window)}` : thread;
}

function callerOf(_body: RequestBody, headers: Headers): Caller {
  const thread = headers['thread-id'];
  if (thread !== undefined) return { client: 'codex', conversation: codexWindow(headers, thread) };
  const session = headers['x-session-id'];
  if (session !== undefined) return { client: 'opencode', conversation: session };
  return { client: 'program' };
}

/** Codex hands the tools of some models over as an item. */
function hasTools(body: RequestBody): boolean {
  const tools = memberValue(body, 'tools');
  if (Array.isArray(tools) && tools.length > 0) return true;
  return elementTexts(body, 'input')
    .slice(0, 3)
    .some((raw) => textAt(parsed(raw), 'type') === 'additional_tools');
}

function isGiven(body: RequestBody, name: string): boolean {
  const value = memberValue(body, name) ?? null;
  return value !== null && value !== '';
}

/** Whether the request does not hold its history: it is one text, or lies with the provider. */
function isElsewhere(body: RequestBody): boolean {
  if (memberText(body, 'input')?.startsWith('[') !== true) return true;
  return isGiven(body, 'previous_response_id') || isGiven(body, 'conversation');
}

function isAside(body: RequestBody): boolean {
  if (isElsewhere(body)) return true;
  const format = at(memberValue(body, 'text'), 'format');
  const isFormed = isRecord(format) && format['type'] !== 'text';
  return isFormed || memberValue(body, 'generate') === false || !hasTools(body);
}

/** Codex sums up for providers of the user's own without any tool, so that the cache has nothing of the request. */
function isBareCompaction(body: RequestBody, headers: Headers): boolean {
  const turn = parsed(headers['x-codex-turn-metadata'] ?? '');
  return textAt(turn, 'request_kind') === 'compaction' && !hasTools(body) && !isElsewhere(body);
}

/** OpenAI's Responses API. */
export const openAiResponses: Dialect = {
  name: 'openai-responses',
  list: 'input',
  system: 'instructions',
  isConversation: (path) => /^(?:\/v1)?\/responses\/?(?:\?|$)/.test(path),
  modelOf: (body) => textAt({ model: memberValue(body, 'model') }, 'model') ?? '',
  answerTokensOf: (body) => numberAt({ most: memberValue(body, 'max_output_tokens') }, 'most'),
  isAside,
  isBareCompaction,
  withTool: (tools, { name, description, schema }) =>
    withLast(tools, { type: 'function', name, description, parameters: schema, strict: false }),
  callerOf,
  lengthOfMessage,
  read,
  writePart: writeItem,
  writeMessage: (_role, parts) => parts,
};
