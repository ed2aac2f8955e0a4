import { CtxError, type Message } from '@ctx/core';

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : typeof value);

function own(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function checkMessage(message: unknown, index: number): void {
  const content = own(message, 'content');
  if (typeof own(message, 'role') === 'string' && Array.isArray(content)) return;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `messages[${index}] needs a role and a list of blocks as content, got ${kindOf(content)}: @ctx/transcripts converts other forms`,
  );
}

/** Throws `CTX_INVALID_INPUT` for what is no list of messages. Looks at each message, at no block. */
export function checkMessages(messages: readonly Message[]): void {
  if (!Array.isArray(messages)) {
    throw new CtxError('CTX_INVALID_INPUT', `messages must be a list, got ${kindOf(messages)}`);
  }
  messages.forEach(checkMessage);
}

/** Longest time that a timer can be set to, ms; a longer one would be over at once. */
const longestMs = 2_147_483_647;

/** Throws `CTX_INVALID_OPTION` for a time in which no summariser could answer. */
export function checkTimeout(timeoutMs: unknown): void {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= longestMs) return;
  throw new CtxError(
    'CTX_INVALID_OPTION',
    `timeoutMs must be above 0 and at most ${String(longestMs)}, got ${typeof timeoutMs === 'number' ? timeoutMs : kindOf(timeoutMs)}`,
  );
}

/** Throws `CTX_INVALID_OPTION` for options without a counter of tokens, and for numbers, lists and summarisers that are none. */
export function checkOptions(options: object): void {
  const fail = (name: string, wanted: string): never => {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `${name} must be ${wanted}, got ${kindOf(own(options, name))}`,
    );
  };
  if (typeof own(options, 'countTokens') !== 'function') fail('countTokens', 'a function');
  const { maxTokens, pinned, summarizer, timeoutMs } = options as Record<string, unknown>;
  checkTimeout(timeoutMs);
  if (maxTokens !== undefined && !(Number(maxTokens) === maxTokens)) fail('maxTokens', 'a number');
  if (pinned !== undefined && !Array.isArray(pinned)) fail('pinned', 'a list of texts');
  if (summarizer !== undefined) checkSummarizer(summarizer);
}

/** Throws `CTX_INVALID_INPUT` for what is no open store. */
export function checkStore(store: unknown): void {
  const hasCalls =
    typeof own(own(store, 'sessions'), 'get') === 'function' &&
    typeof own(own(store, 'compactions'), 'newest') === 'function';
  if (hasCalls) return;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `store must be an open store, got ${kindOf(store)}: await openStore() or the opener of a backend first`,
  );
}

/** Throws `CTX_INVALID_OPTION` for what cannot summarise. */
export function checkSummarizer(summarizer: unknown): void {
  if (typeof own(summarizer, 'summarize') === 'function') return;
  throw new CtxError(
    'CTX_INVALID_OPTION',
    `a summariser with a method summarize is needed, got ${kindOf(summarizer)}: wrap a function in model()`,
  );
}
