import type { Message } from '@ctx/core';
import { charactersPerToken } from '@ctx/tokens/approximate';
import { planBreakpoints } from '@ctx/truncation';
import { type CacheLifetime, type CacheMark, cacheMark, mergeMarks } from './host-marks.ts';
import type { MessageShape } from './host-types.ts';
import { isList, isRecord, type PlainRecord, without } from './plain-values.ts';

/** The same list where no entry changed. */
function mapList(list: readonly unknown[], map: (entry: unknown) => unknown): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((entry, index) => entry === list[index]) ? list : mapped;
}

function unmarkedBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const plain = without(block, cacheMark);
  if (!isList(plain['content'])) return plain;
  const content = mapList(plain['content'], unmarkedBlock);
  return content === plain['content'] ? plain : { ...plain, content };
}

function isMarked(value: unknown): boolean {
  if (isList(value)) return value.some(isMarked);
  return isRecord(value) && (Object.hasOwn(value, cacheMark) || isMarked(value['content']));
}

/** Takes the marks off a list of blocks or tools, also within results. The same object where there are none. */
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
  const own = value[cacheMark];
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
  return isRecord(record) ? { ...record, [cacheMark]: markOf(lifetime) } : record;
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

/** Most marks that a request to Anthropic may have. */
const mostMarks = 4;

/** What the places of marks are planned from. */
export interface MarkInput<Sdk extends MessageShape> extends MarkedParts<Sdk> {
  readonly model: string;
  /** What stands in `messages` from `offset` on, in canonical form. */
  readonly canonical: readonly Message[];
  readonly offset: number;
  readonly lifetime: CacheLifetime;
  /** The host's own marks. */
  readonly hosts: readonly CacheMark[];
  /** Whether others are added. */
  readonly isPlanned: boolean;
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (isList(value)) return value.reduce((sum: number, each) => sum + charactersOf(each), 0);
  if (!isRecord(value)) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + charactersOf(each), 0);
}

/** Whether a prefix is worth a mark needs no better count. */
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

/** Parts whose lists are their own. */
interface OwnParts<Sdk extends MessageShape> {
  system: unknown;
  tools: unknown;
  readonly messages: Sdk[];
}

function place<Sdk extends MessageShape>(parts: OwnParts<Sdk>, mark: CacheMark): void {
  const { at, block, lifetime } = mark;
  if (at !== 'message') {
    parts[at] = markedAt(parts[at], block, lifetime);
    return;
  }
  const message = parts.messages[mark.message];
  if (message === undefined) return;
  const content = markedAt(message.content, block, lifetime);
  parts.messages[mark.message] = { ...message, content };
}

/** Places where the next request finds the most. */
function plannedMarks<Sdk extends MessageShape>(input: MarkInput<Sdk>): CacheMark[] {
  const { system, tools, canonical, offset, lifetime } = input;
  const breakpoints = planBreakpoints({
    messages: canonical,
    toolTokens: tokensOf(tools),
    systemTokens: tokensOf(system),
    tokensOf: tokensOfMessage,
    model: input.model,
    lifetime,
  });
  return breakpoints.map((each): CacheMark => {
    if (each.at === 'block') {
      const { message, block } = each;
      return { at: 'message', message: message + offset, block, lifetime: each.lifetime };
    }
    const { [each.at]: list } = input;
    const block = isList(list) ? list.length - 1 : 0;
    return { at: each.at, message: 0, block, lifetime: each.lifetime };
  });
}

/**
 * Puts marks into a request: those of the host where it placed them, and ours where the next request finds the most; at most 4.
 * Pure; nothing but marks changes; parts without one are the objects that were given. Goes through the lengths of all texts.
 */
export function withCacheMarks<Sdk extends MessageShape>(input: MarkInput<Sdk>): MarkedParts<Sdk> {
  const { system, tools, messages, hosts, isPlanned } = input;
  const planned = isPlanned ? plannedMarks(input) : [];
  const parts: OwnParts<Sdk> = { system, tools, messages: messages.slice() };
  for (const mark of mergeMarks(hosts, planned, mostMarks)) place(parts, mark);
  return parts;
}
