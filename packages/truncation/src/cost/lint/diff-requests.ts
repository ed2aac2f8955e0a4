import type { TokenCounter } from '@ctx/core';
import { mediaTokens } from './lint-cache.ts';
import { type PartDifference, partDifference } from './lint-request.ts';
import type { PartSection, RequestPart } from './request-part.ts';
import { requestParts } from './request-parts.ts';

/** A part of a request: a tool, a block, an item. */
export interface RequestPartEntry {
  readonly section: PartSection;
  /** Such as `messages[4].content[1]`. */
  readonly path: string;
  readonly tokens: number;
}

/** A part that says something else now. */
export interface RequestPartChange extends PartDifference {
  readonly section: PartSection;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What is different between two requests. */
export interface RequestDiff {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of the parts with which both begin: what a cache can answer. */
  readonly prefixTokens: number;
  /** The first part that is not the same, where there is one. */
  readonly firstDivergence?: PartDifference & { readonly index: number };
  /** Parts that only the later request has, in its order. */
  readonly added: readonly RequestPartEntry[];
  /** Parts in the same place that say something else, in the order of the later request. */
  readonly changed: readonly RequestPartChange[];
  /** Parts that only the earlier request has, in its order. */
  readonly removed: readonly RequestPartEntry[];
  /** Parts that both have, wherever they stand. */
  readonly unchanged: number;
}

/** How requests are measured. */
export interface DiffRequestsOptions {
  readonly countTokens: TokenCounter;
}

type Measure = (part: RequestPart) => number;

/** What is left of each request once equal parts are taken away, each as often as both have it. */
function leftOf(before: readonly RequestPart[], after: readonly RequestPart[]) {
  const waiting = new Map<string, RequestPart[]>();
  for (const part of before) {
    const same = waiting.get(part.id);
    if (same === undefined) waiting.set(part.id, [part]);
    else same.push(part);
  }
  const added = after.filter(({ id }) => waiting.get(id)?.pop() === undefined);
  const rest = new Set([...waiting.values()].flat());
  return { added, removed: before.filter((part) => rest.has(part)) };
}

function sharedPrefix(before: readonly RequestPart[], after: readonly RequestPart[]): number {
  const end = after.findIndex(({ id }, index) => before[index]?.id !== id);
  return end === -1 ? after.length : end;
}

function divergence(
  before: readonly RequestPart[],
  after: readonly RequestPart[],
  index: number,
): Pick<RequestDiff, 'firstDivergence'> {
  const [old, now] = [before[index], after[index]];
  if (old === undefined && now === undefined) return {};
  return { firstDivergence: { index, ...partDifference({ old, now }) } };
}

/** Pairs what is left by where it stands. */
function pair(
  { added, removed }: ReturnType<typeof leftOf>,
  tokensOf: Measure,
): Pick<RequestDiff, 'added' | 'changed' | 'removed'> {
  const gone = new Map(removed.map((part) => [part.path, part]));
  const entryOf = (part: RequestPart): RequestPartEntry => {
    const { section, path } = part;
    return { section, path, tokens: tokensOf(part) };
  };
  const fresh: RequestPartEntry[] = [];
  const changed: RequestPartChange[] = [];
  for (const now of added) {
    const old = gone.get(now.path);
    gone.delete(now.path);
    if (old === undefined) fresh.push(entryOf(now));
    else {
      const tokens = { tokensBefore: tokensOf(old), tokensAfter: tokensOf(now) };
      changed.push({ section: now.section, ...partDifference({ old, now }), ...tokens });
    }
  }
  return { added: fresh, changed, removed: [...gone.values()].map(entryOf) };
}

/**
 * Tells what is different between two requests, Anthropic messages, OpenAI chat, OpenAI Responses or Gemini: where they part, and which
 * parts came, went or changed.
 * Pure; parts are compared by SHA-256. Goes through the bytes of both.
 * @throws `CTX_INVALID_INPUT` for anything else.
 */
export function diffRequests(
  before: unknown,
  after: unknown,
  { countTokens }: DiffRequestsOptions,
): RequestDiff {
  const [old, now] = [requestParts(before).parts, requestParts(after).parts];
  const known = new Map<string, number>();
  const tokensOf: Measure = ({ id, counted }) => {
    const tokens = known.get(id) ?? countTokens(counted.text) + counted.media * mediaTokens;
    known.set(id, tokens);
    return tokens;
  };
  const sum = (parts: readonly RequestPart[]): number =>
    parts.reduce((total, part) => total + tokensOf(part), 0);
  const shared = sharedPrefix(old, now);
  const left = leftOf(old, now);
  return {
    tokensBefore: sum(old),
    tokensAfter: sum(now),
    prefixTokens: sum(now.slice(0, shared)),
    ...divergence(old, now, shared),
    ...pair(left, tokensOf),
    unchanged: now.length - left.added.length,
  };
}
