import { isRecord } from '@ctx/core/encoding';
import { withLast } from '../../json/json-spans.ts';
import { numberAt, textAt } from '../../json/values.ts';
import { memberValue, type RequestBody } from '../../requests/request-body.ts';
import type { Caller, ClientMessage, Dialect, Headers } from '../dialect.ts';
import { keyOfMessage } from '../message-key.ts';
import { isToolRecord, readRecord } from './read-record.ts';
import { writeBlock, writeRecords } from './write-record.ts';

/** The results that come next to each other are one message. */
function lengthOfMessage(elements: readonly string[], from: number): number {
  let end = from;
  while (end < elements.length && isToolRecord(elements[end] ?? '{}')) end += 1;
  return Math.max(1, end - from);
}

function read(raw: readonly string[]): ClientMessage | undefined {
  const records = raw.map(readRecord);
  const known = records.filter((record) => record !== undefined);
  const role = known[0]?.role;
  if (role === undefined || known.length < records.length) return undefined;
  const message = { role, content: known.flatMap(({ content }) => content) };
  const parts = known.flatMap((record) => record.parts);
  return { message, key: keyOfMessage(message), raw, parts };
}

function callerOf(_body: RequestBody, headers: Headers): Caller {
  const session = headers['x-session-id'];
  if (session === undefined) return { client: 'program' };
  return { client: 'opencode', conversation: session };
}

function mostTokens(body: RequestBody): number | undefined {
  const most = memberValue(body, 'max_completion_tokens') ?? memberValue(body, 'max_tokens');
  return numberAt({ most }, 'most');
}

function isAside(body: RequestBody): boolean {
  const tools = memberValue(body, 'tools');
  const format = memberValue(body, 'response_format');
  const isFormed = isRecord(format) && format['type'] !== 'text';
  return !Array.isArray(tools) || tools.length === 0 || isFormed || (mostTokens(body) ?? 2) <= 1;
}

/** OpenAI's Chat Completions API, and what speaks like it. */
export const openAiChat: Dialect = {
  name: 'openai-chat',
  list: 'messages',
  system: 'system',
  isConversation: (path) => /^(?:\/v1)?\/chat\/completions\/?(?:\?|$)/.test(path),
  modelOf: (body) => textAt({ model: memberValue(body, 'model') }, 'model') ?? '',
  answerTokensOf: mostTokens,
  isAside,
  withTool: (tools, { name, description, schema }) =>
    withLast(tools, { type: 'function', function: { name, description, parameters: schema } }),
  callerOf,
  lengthOfMessage,
  read,
  writePart: writeBlock,
  writeMessage: writeRecords,
};
