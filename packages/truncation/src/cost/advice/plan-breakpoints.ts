import { type ContentBlock, CtxError, checkMessages, type Message } from '@ctx/core';
import { cacheMinimumOf, usualMinimumTokens } from '../cache-minimums.ts';

/** How long Anthropic keeps what a mark writes; `1h` costs 2 instead of 1.25 times the plain price to write. */
export type CacheLifetime = '5m' | '1h';

/** A place for `cache_control`: after the last tool, after the system prompt, or on a block of a message. */
export type Breakpoint =
  | { readonly at: 'tools' | 'system'; readonly lifetime: CacheLifetime }
  | {
      readonly at: 'block';
      /** Place in `messages`. */
      readonly message: number;
      /** Place in the content of that message. */
      readonly block: number;
      readonly lifetime: CacheLifetime;
    };

/** A request that is about to be sent. */
export interface BreakpointInput {
  readonly messages: readonly Message[];
  /** Tokens of the tools and of the system prompt. Default: 0, there are none. */
  readonly toolTokens?: number;
  readonly systemTokens?: number;
  /** Pure. */
  readonly tokensOf: (message: Message) => number;
  /** Messages at the front that no flush changes: the summary, and what stands before it. Default: 0, unknown. */
  readonly epochMessages?: number;
  /** The model's name: says how short a prefix it caches (512 to 4,096 tokens; 1,024 where it is not known). */
  readonly model?: string;
  /** Shortest prefix that is cached, tokens. Default: the model's. */
  readonly minimumTokens?: number;
  /** Default `5m`. */
  readonly lifetime?: CacheLifetime;
  /** For tools, system prompt and epoch. Default: that of the rest. */
  readonly prefixLifetime?: CacheLifetime;
}

/** Most marks that a request may have. Source: "Prompt caching" in the documentation of the Claude API. */
const maxBreakpoints = 4;

const mediaFormats = new Set(['anthropic:image', 'anthropic:document']);

/** Whether the provider takes a mark on it: not on empty text, not on thinking, not on what ctx does not know. */
function takesMark(block: ContentBlock): boolean {
  if (block.type === 'text') return block.text.trim() !== '';
  return block.type === 'opaque' ? mediaFormats.has(block.format) : true;
}

interface Place {
  readonly message: number;
  readonly block: number;
}

/** The last block among the first `count` messages that takes a mark. */
function lastPlace(messages: readonly Message[], count: number): Place | undefined {
  for (let message = count - 1; message >= 0; message -= 1) {
    const { role, content } = messages[message] ?? { role: 'system', content: [] };
    const block = role === 'system' ? -1 : content.findLastIndex(takesMark);
    if (block !== -1) return { message, block };
  }
  return undefined;
}

/** How many messages the request before had: those before the newest answer. */
function messagesBefore(messages: readonly Message[]): number {
  let end = messages.findLastIndex(({ role }) => role === 'assistant');
  while (messages[end - 1]?.role === 'assistant') end -= 1;
  return Math.max(0, end);
}

function minimumOf({ model = '', minimumTokens }: BreakpointInput): number {
  return minimumTokens ?? cacheMinimumOf(model) ?? usualMinimumTokens;
}

interface Mark {
  readonly breakpoint: Breakpoint;
  /** Tokens up to and with its message, as far as they are counted: to the shortest prefix that is cached. */
  readonly tokens: number;
}

interface Lifetimes {
  readonly prefix: CacheLifetime;
  readonly rest: CacheLifetime;
}

function lifetimesOf({ lifetime = '5m', prefixLifetime = lifetime }: BreakpointInput): Lifetimes {
  if (lifetime === '1h' && prefixLifetime === '5m') {
    const message = 'a prefix may not be kept for less time than what stands behind it';
    throw new CtxError('CTX_INVALID_OPTION', message);
  }
  return { prefix: prefixLifetime, rest: lifetime };
}

function headMarks(input: BreakpointInput, lifetime: CacheLifetime): Mark[] {
  const { toolTokens = 0, systemTokens = 0 } = input;
  const tools: Mark = { breakpoint: { at: 'tools', lifetime }, tokens: toolTokens };
  const system: Mark = {
    breakpoint: { at: 'system', lifetime },
    tokens: toolTokens + systemTokens,
  };
  return [...(systemTokens > 0 ? [system] : []), ...(toolTokens > 0 ? [tools] : [])];
}

function messageMark(input: BreakpointInput, count: number, lifetime: CacheLifetime): Mark[] {
  const { messages, tokensOf, toolTokens = 0, systemTokens = 0 } = input;
  const minimumTokens = minimumOf(input);
  const place = lastPlace(messages, count);
  if (place === undefined) return [];
  let tokens = toolTokens + systemTokens;
  for (const message of messages.slice(0, place.message + 1)) {
    // What is enough to be cached is not counted further.
    if (tokens >= minimumTokens) break;
    tokens += tokensOf(message);
  }
  return [{ breakpoint: { at: 'block', ...place, lifetime }, tokens }];
}

const order = { tools: 0, system: 1, block: 2 } as const;

function comesBefore(a: Breakpoint, b: Breakpoint): number {
  if (a.at !== 'block' || b.at !== 'block') return order[a.at] - order[b.at];
  return a.message - b.message || a.block - b.block;
}

const isSamePlace = (a: Breakpoint, b: Breakpoint): boolean => comesBefore(a, b) === 0;

/**
 * Says where to put `cache_control` into a request to Anthropic. By worth: the newest message; the newest message of the
 * request before, so that what that one wrote is found however many blocks came since (the provider looks only 20 blocks
 * back from a mark); the system prompt; the end of the epoch, which survives flushes; the tools.
 * Pure; at most 4 places, in the order of the request, each of which takes a mark; none whose prefix is shorter
 * than the model caches; the newest place of a request is among those of the next one, as long as messages are only appended; longer
 * lifetimes stand before shorter ones. Goes through messages from either end, to the first that decides. Source: "Prompt caching" in the
 * documentation of the Claude API.
 * @throws `CTX_INVALID_OPTION` where they cannot; `CTX_INVALID_INPUT` for messages that are none.
 */
export function planBreakpoints(input: BreakpointInput): Breakpoint[] {
  const { messages, epochMessages = 0 } = input;
  checkMessages(messages);
  const minimumTokens = minimumOf(input);
  const { prefix, rest } = lifetimesOf(input);
  const [system, ...tools] = headMarks(input, prefix);
  const byWorth: readonly Mark[] = [
    ...messageMark(input, messages.length, rest),
    ...messageMark(input, messagesBefore(messages), rest),
    ...(system === undefined ? [] : [system]),
    ...messageMark(input, Math.min(epochMessages, messages.length), prefix),
    ...tools,
  ];
  const chosen: Breakpoint[] = [];
  for (const { breakpoint, tokens } of byWorth) {
    const isKnown = chosen.some((other) => isSamePlace(other, breakpoint));
    if (isKnown || tokens < minimumTokens || chosen.length === maxBreakpoints) continue;
    chosen.push(breakpoint);
  }
  return chosen.sort(comesBefore);
}
