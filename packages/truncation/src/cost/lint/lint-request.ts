import { cutText, cutTextEnd } from '@ctx/core';
import { hitOf, priceInput } from '../cost-model.ts';
import type { PrefixTrie } from '../prefix-trie.ts';
import type { CachePrice } from '../prices.ts';
import { type CacheCause, causeOfChange } from './cache-cause.ts';
import type { PartSection, RequestPart } from './request-part.ts';
import type { VolatileKind } from './volatile-text.ts';

/** Tokens that were paid again, and why. */
export interface CacheFinding {
  readonly cause: CacheCause;
  /** For `volatile`: what changes. */
  readonly kinds?: readonly VolatileKind[];
  readonly tokens: number;
  /** What they cost more than if the cache had answered them, UTE. */
  readonly ute: number;
  /** The first part that differs, and what it says before and after. */
  readonly change?: PartDifference;
}

/** Two parts that ought to be equal. A missing one is ''. */
export interface PartDifference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A request that was measured. */
export interface CountedParts {
  readonly index: number;
  readonly lane: string;
  /** ms. */
  readonly time: number;
  readonly parts: readonly RequestPart[];
  /** Of each part. */
  readonly tokens: readonly number[];
  /** Tokens of each part by what it says. */
  readonly bySame: ReadonlyMap<string, number>;
  /** Who sent it, where the log says so. */
  readonly agent: string | undefined;
  /** What the messages before the model's first answer say. */
  readonly opening: readonly string[];
}

/** What one request cost, and where it lost its prefix. */
export interface LintedRequest {
  /** Place in the series. */
  readonly index: number;
  readonly lane: string;
  readonly inputTokens: number;
  /** What the cache answers. */
  readonly hitTokens: number;
  readonly inputUte: number;
  /** The earlier request that it goes on from; left out for the first of a conversation. */
  readonly follows?: number;
  /** Whether the body holds only what is new, so that nothing is judged and no sum counts it. */
  readonly isPartial?: true;
  readonly findings: readonly CacheFinding[];
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

/** Tokens that both say, wherever they stand. */
export function sharedTokens(before: CountedParts, after: CountedParts): number {
  let shared = 0;
  for (const [same, tokens] of after.bySame) {
    shared += Math.min(tokens, before.bySame.get(same) ?? 0);
  }
  return shared;
}

/** Parts with which both begin. */
function commonParts(before: CountedParts, after: CountedParts): number {
  const end = after.parts.findIndex(({ id }, index) => before.parts[index]?.id !== id);
  return end === -1 ? after.parts.length : end;
}

/** Longest excerpt, characters. */
const excerptLength = 80;

const sections: readonly PartSection[] = ['tools', 'system', 'messages'];

/** A part before and after. */
export interface ChangedParts {
  readonly old: RequestPart | undefined;
  readonly now: RequestPart | undefined;
}

/** The parts that differ first. One of them is missing where a section is shorter, or longer, than before. */
function changedParts({ old, now }: ChangedParts): ChangedParts {
  if (old === undefined || now === undefined) return { old, now };
  const order = sections.indexOf(old.section) - sections.indexOf(now.section);
  return { old: order > 0 ? undefined : old, now: order < 0 ? undefined : now };
}

/** Both texts from a little before the first sign that differs. */
function difference(before: CountedParts, after: CountedParts, index: number): PartDifference {
  return partDifference(changedParts({ old: before.parts[index], now: after.parts[index] }));
}

/** Two parts, from a little before the first sign that differs. One of them may be missing. */
export function partDifference({ old, now }: ChangedParts): PartDifference {
  const [was, is] = [old?.text ?? '', now?.text ?? ''];
  let same = 0;
  while (same < is.length && is[same] === was[same]) same += 1;
  const from = Math.max(0, same - 20);
  const cut = (text: string): string => {
    const rest = cutTextEnd(text, text.length - from);
    return (from > 0 ? '…' : '') + cutText(rest, { maxCharacters: excerptLength });
  };
  return { path: (now ?? old)?.path ?? '', before: cut(was), after: cut(is) };
}

interface Losses {
  readonly before: CountedParts;
  readonly after: CountedParts;
  readonly hitTokens: number;
  readonly sentTokens: number;
  readonly aliveTokens: number;
}

type Loss = Omit<CacheFinding, 'ute'>;

function changeLoss({ before, after, sentTokens }: Losses): Loss[] {
  const tokens = sharedTokens(before, after) - sentTokens;
  if (tokens <= 0) return [];
  const index = commonParts(before, after);
  const change = difference(before, after, index);
  return [{ ...causeOfChange(before.parts, after.parts, index), tokens, change }];
}

/** Tokens of the request before that the cache does not answer, whatever the reason. */
function allLost({ before, after, hitTokens }: Losses, cause: CacheCause): Loss[] {
  const tokens = sharedTokens(before, after) - hitTokens;
  return tokens <= 0 ? [] : [{ cause, tokens }];
}

function lossesOf(losses: Losses, { minimumTokens, lifetimeMs }: CachePrice): Loss[] {
  const { before, after, hitTokens, sentTokens, aliveTokens } = losses;
  // Behind a pause everything is paid again: what changed meanwhile cost nothing.
  if (after.time - before.time > lifetimeMs) return allLost(losses, 'lifetime');
  if (before.lane !== after.lane && sentTokens < sharedTokens(before, after)) {
    return allLost(losses, 'model');
  }
  const found = changeLoss(losses);
  const forgotten = sentTokens - aliveTokens;
  if (forgotten > 0) found.push({ cause: 'lifetime', tokens: forgotten });
  const isShort = hitTokens === 0 && aliveTokens > 0 && aliveTokens < minimumTokens;
  if (isShort) found.push({ cause: 'minimum', tokens: aliveTokens });
  return found;
}

/** What a request is judged by. */
export interface LintState {
  readonly trie: PrefixTrie;
  /** The request before it in its conversation. */
  readonly before: CountedParts | undefined;
  readonly price: CachePrice;
}

/** Judges one request. The trie takes note of it. */
export function lintRequest(after: CountedParts, state: LintState): LintedRequest {
  const { trie, before, price } = state;
  const segments = after.parts.map(({ id }, index) => ({ id, tokens: after.tokens[index] ?? 0 }));
  const inputTokens = sum(after.tokens);
  const match = trie.matchAndInsert(segments, after.time, price.lifetimeMs);
  const hitTokens = hitOf(match.aliveTokens, inputTokens, price);
  const extra = (inputTokens < price.minimumTokens ? 1 : price.write) - price.read;
  const losses =
    before === undefined ? [] : lossesOf({ before, after, hitTokens, ...match }, price);
  return {
    index: after.index,
    lane: after.lane,
    inputTokens,
    hitTokens,
    inputUte: priceInput({ length: inputTokens, alive: match.aliveTokens }, price),
    ...(before === undefined ? {} : { follows: before.index }),
    findings: losses.map((loss) => ({ ...loss, ute: loss.tokens * extra })),
  };
}
