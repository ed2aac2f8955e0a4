import { CtxError } from '../errors.ts';
import type { Message } from '../records/message.ts';

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** What tells that a block is one of ours: SDKs have blocks of the same names with other members. */
const blocks: ReadonlyMap<unknown, (block: Members) => boolean> = new Map([
  ['text', (block: Members) => isText(block['text'])],
  ['tool_use', (block: Members) => isText(block['id']) && isText(block['name'])],
  [
    'tool_result',
    (block: Members) => isText(block['toolUseId']) && Array.isArray(block['content']),
  ],
  ['opaque', (block: Members) => isText(block['format'])],
]);

const isBlock = (block: unknown): boolean =>
  isObject(block) && blocks.get(block['type'])?.(block) === true;

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);

/** What is wrong with a message, without a word of what it says; `undefined` if nothing is. */
function wrongWith(message: unknown): string | undefined {
  if (!isObject(message)) return ` is ${nameOf(message)}`;
  if (!roles.has(message['role'])) return '.role is none of user, assistant, system';
  const { content } = message;
  if (!Array.isArray(content)) return `.content is ${nameOf(content)}, not a list of blocks`;
  const at = content.findIndex((block) => !isBlock(block));
  return at < 0
    ? undefined
    : `.content[${String(at)}] is no block { type: 'text' | 'tool_use' | 'tool_result' | 'opaque', … } of ctx`;
}

/** Messages that were looked at: a history comes again with every request. */
const known = new WeakSet<object>();

const fix =
  "convert it to { role, content: [{ type: 'text', text }] }, or use the entry of your SDK, such as @ctx/agent-adapter/openai";

/**
 * Checks that what a caller handed in are messages of ctx, not those of an SDK. Looks at each message once.
 * @param checked How many messages at the beginning were checked before, as other objects perhaps: they are not looked at. The last
 *   message of a list always is. Default 0.
 * @throws `CTX_INVALID_INPUT` naming the first that is none and what to do.
 */
export function checkMessages(messages: readonly Message[], checked = 0): void {
  const given: unknown = messages;
  if (!Array.isArray(given)) {
    throw new CtxError('CTX_INVALID_INPUT', `messages is ${nameOf(given)}, not a list`);
  }
  const { length } = messages;
  for (let at = Math.max(0, Math.min(checked, length - 1)); at < length; at += 1) {
    checkMessage(given[at], at);
  }
}

function checkMessage(message: unknown, at: number): void {
  if (isObject(message) && known.has(message)) return;
  const wrong = wrongWith(message);
  if (wrong !== undefined) {
    throw new CtxError('CTX_INVALID_INPUT', `messages[${String(at)}]${wrong}: ${fix}`);
  }
  if (isObject(message)) known.add(message);
}
