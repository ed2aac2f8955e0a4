import type { Message } from '@ctx/core';
import {
  type Breakpoint,
  type CacheLifetime,
  cacheMinimumOf,
  planBreakpoints,
} from '@ctx/truncation/cost';
import type { MessageShape } from './host-types.ts';
import { isList, isRecord, type PlainRecord, without } from './plain-values.ts';

/** The member that marks a place up to which the provider caches. */
const mark = 'cache_control';

/** The same list where no entry changed. */
function mapList(list: readonly unknown[], map: (entry: unknown) => unknown): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((entry, index) => entry === list[index]) ? list : mapped;
}

function unmarkedBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const plain = without(block, mark);
  if (!isList(plain['content'])) return plain;
  const content = mapList(plain['content'], unmarkedBlock);
  return content === plain['content'] ? plain : { ...plain, content };
}

function isMarked(value: unknown): boolean {
  if (isList(value)) return value.some(isMarked);
  return isRecord(value) && (Object.hasOwn(value, mark) || isMarked(value['content']));
}

/** Takes the marks off a list of blocks or tools, also within results. Contract: the same object where there are none. */
export function unmarked(list: unknown): unknown {
  return isList(list) && isMarked(list) ? mapList(list, unmarkedBlock) : list;
}

/** Takes the marks off a message: where they stand changes from request to request, and says nothing to the model. */
export function unmarkedMessage<Message extends MessageShape>(message: Message): Message {
  const content = unmarked(message.content);
  return content === message.content ? message : { ...message, content };
}

function lifetimeIn(value: unknown): boolean {
  if (isList(value)) return value.some(lifetimeIn);
  if (!isRecord(value)) return false;
  const own = value[mark];
  return (isRecord(own) && own['ttl'] === '1h') || lifetimeIn(value['content']);
}

/** Whether the host asks for an hour somewhere in front. */
export function wantsHour(...lists: readonly unknown[]): boolean {
  return lists.some(lifetimeIn);
}

function markOf(lifetime: CacheLifetime): PlainRecord {
  return { type: 'ephemeral', ...(lifetime === '1h' ? { ttl: '1h' } : {}) };
}

function withMark(record: unknown, lifetime: CacheLifetime): unknown {
  return isRecord(record) ? { ...record, [mark]: markOf(lifetime) } : record;
}

/** A list whose entry at `index` has a mark; a bare text becomes a list for it. */
function markedAt(content: unknown, index: number, lifetime: CacheLifetime): unknown {
  if (typeof content === 'string') {
    return content === '' ? content : [withMark({ type: 'text', text: content }, lifetime)];
  }
  if (!isList(content)) return content;
  return content.map((entry, at) => (at === index ? withMark(entry, lifetime) : entry));
}

/** The parts of a request that may have marks. */
export interface MarkedParts<Sdk extends MessageShape> {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly Sdk[];
}

/** What the places of marks are planned from. */
export interface MarkInput<Sdk extends MessageShape> extends MarkedParts<Sdk> {
  readonly model: string;
  /** What stands in `messages` from `offset` on, in canonical form. */
  readonly canonical: readonly Message[];
  readonly offset: number;
  readonly lifetime: CacheLifetime;
}

/** Characters of a token, about: whether a prefix is worth a mark needs no better count. */
const charactersPerToken = 4;

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (isList(value)) return value.reduce((sum: number, each) => sum + charactersOf(each), 0);
  if (!isRecord(value)) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + charactersOf(each), 0);
}

const tokensOf = (value: unknown): number => Math.ceil(charactersOf(value) / charactersPerToken);

const sizes = new WeakMap<Message, number>();

/** Messages stay the same objects from request to request as long as they do not change. */
function tokensOfMessage(message: Message): number {
  const known = sizes.get(message);
  if (known !== undefined) return known;
  const tokens = tokensOf(message.content);
  sizes.set(message, tokens);
  return tokens;
}

function placed<Sdk extends MessageShape>(
  parts: MarkedParts<Sdk>,
  breakpoint: Breakpoint,
  offset: number,
): MarkedParts<Sdk> {
  const { lifetime } = breakpoint;
  if (breakpoint.at === 'block') {
    const at = breakpoint.message + offset;
    const message = parts.messages[at];
    if (message === undefined) return parts;
    const marked = { ...message, content: markedAt(message.content, breakpoint.block, lifetime) };
    return { ...parts, messages: parts.messages.with(at, marked) };
  }
  const { [breakpoint.at]: list } = parts;
  const last = isList(list) ? list.length - 1 : 0;
  return { ...parts, [breakpoint.at]: markedAt(list, last, lifetime) };
}

/**
 * Puts marks where the next request finds the most: at most 4, the newest of a request among those of the next.
 * Contract: pure; nothing but marks changes; parts without one are the objects that were given. Cost: the lengths of all texts.
 */
export function withCacheMarks<Sdk extends MessageShape>(input: MarkInput<Sdk>): MarkedParts<Sdk> {
  const { system, tools, messages, canonical, offset, lifetime } = input;
  const minimumTokens = cacheMinimumOf(input.model);
  const breakpoints = planBreakpoints({
    messages: canonical,
    toolTokens: tokensOf(tools),
    systemTokens: tokensOf(system),
    tokensOf: tokensOfMessage,
    ...(minimumTokens === undefined ? {} : { minimumTokens }),
    lifetime,
  });
  const parts: MarkedParts<Sdk> = { system, tools, messages };
  return breakpoints.reduce((sum, each) => placed(sum, each, offset), parts);
}
