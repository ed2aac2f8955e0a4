import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import { messageFormats } from '@ctx/transcripts';
import {
  elementsOf,
  membersOf,
  sliceOf,
  valueIn,
  withLast,
  withMember,
  withoutMembers,
} from '../../json/json-spans.ts';
import { at, numberAt, parsed, textAt } from '../../json/values.ts';
import { memberValue, type RequestBody } from '../../requests/request-body.ts';
import type { Caller, ClientMessage, Dialect, Headers } from '../dialect.ts';
import { keyOfMessage } from '../message-key.ts';

const mark = 'cache_control';

/** A value without marks for the cache on it, its blocks and the blocks in those. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isRecord(value)) return value;
  const { [mark]: _mark, ...rest } = value;
  return 'content' in rest && typeof rest['content'] !== 'string'
    ? { ...rest, content: unmarked(rest['content']) }
    : rest;
}

/** JSON of each block of a message; a content that is a string is one block. */
function partsOf(raw: string): string[] {
  const content = membersOf(raw, valueIn(raw)).get('content');
  if (content === undefined) return [];
  const text = sliceOf(raw, content);
  if (text.startsWith('['))
    return elementsOf(text, valueIn(text)).map((span) => sliceOf(text, span));
  return text === '""' ? [] : [`{"type":"text","text":${text}}`];
}

function read([raw = '']: readonly string[]): ClientMessage | undefined {
  const value: unknown = JSON.parse(raw);
  const [message] = messageFormats.anthropic.read([raw.includes(mark) ? unmarked(value) : value]);
  if (message === undefined) return undefined;
  const parts = partsOf(raw);
  if (parts.length !== message.content.length) return undefined;
  return { message, key: keyOfMessage(message), raw: [raw], parts };
}

/** JSON of a block as the SDK has it. */
function written(block: ContentBlock): string {
  const [record] = messageFormats.anthropic.write([{ role: 'user', content: [block] }]);
  const content = record?.['content'];
  return JSON.stringify(Array.isArray(content) ? content[0] : content);
}

function textOfMember(object: string, name: string): string | undefined {
  const span = membersOf(object, valueIn(object)).get(name);
  return span && sliceOf(object, span);
}

/** The client's result with another content: its marks and everything else stay as they were written. */
function splicedResult({ content, isError }: ToolResultBlock, origin: string): string {
  const span = membersOf(origin, valueIn(origin)).get('content');
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const isText = content.every(({ type }) => type === 'text');
  const value = isText ? JSON.stringify(text) : JSON.stringify(content.map(written).map(parsed));
  const spliced =
    span === undefined
      ? `${origin.slice(0, -1)},"content":${value}}`
      : origin.slice(0, span.start) + value + origin.slice(span.end);
  // What is no error any more was answered by the proxy.
  const wasError = textOfMember(origin, 'is_error') === 'true';
  return wasError && isError !== true ? withoutMembers(spliced, ['is_error']) : spliced;
}

/** The client's call with another name and input. */
function splicedCall({ name, input }: ToolUseBlock, origin: string): string {
  const named = withMember(origin, 'name', JSON.stringify(name));
  return withMember(named, 'input', JSON.stringify(input));
}

/** The session that `metadata.user_id` names; it also names the account, which is left alone. */
function sessionOfUser(body: RequestBody): string | undefined {
  const user = textAt(memberValue(body, 'metadata'), 'user_id');
  if (user === undefined) return undefined;
  return textAt(parsed(user), 'session_id') ?? sessionAtEnd(user);
}

/** The id after the last `_session_` of a name such as `user_x_account_y_session_z`. */
function sessionAtEnd(user: string): string | undefined {
  const mark = '_session_';
  const at = user.lastIndexOf(mark);
  const id = at === -1 ? '' : user.slice(at + mark.length);
  return /^[\w-]{8,64}$/.test(id) ? id : undefined;
}

function callerOf(body: RequestBody, headers: Headers): Caller {
  const session = headers['x-claude-code-session-id'] ?? sessionOfUser(body);
  if (session !== undefined) {
    const agent = headers['x-claude-code-agent-id'];
    const conversation = agent === undefined ? session : `${session}-${agent}`;
    return { client: 'claude-code', conversation };
  }
  const opencode = headers['x-session-id'];
  return opencode === undefined
    ? { client: 'program' }
    : { client: 'opencode', conversation: opencode };
}

function isAside(body: RequestBody): boolean {
  const tools = memberValue(body, 'tools');
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const format =
    at(memberValue(body, 'output_config'), 'format') ?? memberValue(body, 'output_format');
  const most = memberValue(body, 'max_tokens');
  return !hasTools || format !== undefined || (typeof most === 'number' && most <= 1);
}

/** Anthropic's Messages API. */
export const anthropic: Dialect = {
  name: 'anthropic',
  list: 'messages',
  system: 'system',
  isConversation: (path) => /\/v1\/messages\/?(?:\?|$)/.test(path),
  modelOf: (body) => textAt({ model: memberValue(body, 'model') }, 'model') ?? '',
  answerTokensOf: (body) => numberAt({ most: memberValue(body, 'max_tokens') }, 'most'),
  isAside,
  withTool: (tools, { name, description, schema }) =>
    withLast(tools, { name, description, input_schema: schema }),
  callerOf,
  read,
  writePart: (block, origin) => {
    if (origin === undefined) return written(block);
    if (block.type === 'tool_result') return splicedResult(block, origin);
    return block.type === 'tool_use' ? splicedCall(block, origin) : written(block);
  },
  writeMessage: (role: Message['role'], parts) => [
    `{"role":${JSON.stringify(role)},"content":[${parts.join(',')}]}`,
  ],
};
