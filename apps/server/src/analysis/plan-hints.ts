import { blockText } from '../windows/block-text.ts';
import { inputTokensOf, pricesOf, type RecordedRequest } from '../windows/recorded-requests.ts';
import type { Analysed } from './read-analysed.ts';
import type { ToolUse } from './tool-uses.ts';

/** Share of the limit from which a session is near it: with a limit of 160,000, the 16,000 left are what three or four steps take. */
const nearShare = 0.9;
/** Breaks of one cause that make a habit: one is chance, two may be. */
const minBreaks = 3;
/** Least that a break costs, tokens: no provider caches less. */
const minLostTokens = 1024;
/** Whole reads of a file that are too many: one to know it, one after it was changed. */
const minWholeReads = 3;
/** Least that the reads after the first cost, tokens: files below it may be read again without harm. */
const minRereadTokens = 1000;
/** Shortest text of a pinned item that is looked for, characters: shorter ones stand anywhere by chance. */
const minPinned = 20;

/** The last request is near the limit. */
interface NearLimit {
  readonly kind: 'near-limit';
  readonly request: number;
  readonly tokens: number;
  readonly limitTokens: number;
}

/** The cache was lost again and again for the same reason. */
interface CacheBreaks {
  readonly kind: 'cache-breaks';
  /** As a timeline names it; `unknown`: the provider held less than was expected, and nothing tells why. */
  readonly cause: string;
  readonly times: number;
  /** Tokens that were sent before and were paid again, and what that cost more than reading them from the cache. */
  readonly tokens: number;
  readonly dollars: number;
  /** Whether a provider reported what its cache held each time. */
  readonly isReported: boolean;
  /** The last of them. */
  readonly request: number;
}

/** A file was read as a whole again and again. */
interface RepeatedReads {
  readonly kind: 'repeated-reads';
  readonly file: string;
  readonly times: number;
  /** Of these: with the same text as a result before. */
  readonly unchanged: number;
  /** Tokens of all reads after the first, as they came. */
  readonly tokens: number;
}

/** A compaction took out text that is pinned as an item. */
interface LostPinned {
  readonly kind: 'lost-pinned';
  readonly item: string;
  readonly segment: number;
  /** Tokens of the piece that held it. */
  readonly tokens: number;
}

/** A finding that the owner of a session may want to act on. */
export type Hint = NearLimit | CacheBreaks | RepeatedReads | LostPinned;

/** An item whose content is to stay. */
export interface PinnedItem {
  readonly id: string;
  readonly content: string;
}

function nearLimit(requests: readonly RecordedRequest[]): Hint[] {
  const last = requests.at(-1);
  const tokens = last === undefined ? 0 : inputTokensOf(last);
  if (last === undefined || tokens < nearShare * last.limitTokens) return [];
  // What was answered although it was larger than the window had another window: its limit is not known.
  if (requests.some((one) => inputTokensOf(one) > one.windowTokens)) return [];
  const { number: request, limitTokens } = last;
  return [{ kind: 'near-limit', request, tokens, limitTokens }];
}

interface Break {
  readonly cause: string;
  readonly request: number;
  readonly tokens: number;
  readonly dollars: number;
  readonly isReported: boolean;
}

const priceOf = (before: RecordedRequest, after: RecordedRequest) =>
  pricesOf([before, after])(after.model).price;

/** Why the cache held less, where the log does not tell. */
function guessCause(before: RecordedRequest, after: RecordedRequest): string {
  if (before.model !== after.model) return 'model';
  return after.at - before.at > priceOf(before, after).lifetimeMs ? 'lifetime' : 'unknown';
}

/** The break of a request, by the one before it. What ctx or the agent took out on purpose is none. */
function breakOf(before: RecordedRequest, after: RecordedRequest): Break[] {
  const isMeant =
    after.flush !== undefined || after.compaction !== undefined || after.isAfterRewind === true;
  const reported = after.reported?.cachedTokens;
  const held = reported ?? after.predictedTokens;
  const tokens = Math.min(inputTokensOf(before), inputTokensOf(after)) - held;
  if (isMeant || tokens < minLostTokens) return [];
  const price = priceOf(before, after);
  const dollars = (tokens * (price.write - price.read) * price.dollarsPerMillion) / 1e6;
  const cause = after.cause ?? guessCause(before, after);
  const isReported = reported !== undefined;
  return [{ cause, request: after.number, tokens, dollars, isReported }];
}

function cacheBreaks(requests: readonly RecordedRequest[]): Hint[] {
  const breaks = requests.flatMap((request, index) => {
    const before = requests[index - 1];
    return before === undefined ? [] : breakOf(before, request);
  });
  return [...new Set(breaks.map(({ cause }) => cause))].flatMap((cause): Hint[] => {
    const same = breaks.filter((one) => one.cause === cause);
    const last = same.at(-1);
    if (last === undefined || same.length < minBreaks) return [];
    const sum = (of: (one: Break) => number): number => same.reduce((all, one) => all + of(one), 0);
    const isReported = same.every((one) => one.isReported);
    const cost = { tokens: sum(({ tokens }) => tokens), dollars: sum(({ dollars }) => dollars) };
    const { request } = last;
    return [{ kind: 'cache-breaks', cause, times: same.length, ...cost, isReported, request }];
  });
}

function repeatedReads(uses: readonly ToolUse[]): Hint[] {
  const reads = uses.filter(
    ({ access, isWhole, isError }) => access === 'read' && isWhole && !isError,
  );
  const files = new Set(reads.flatMap(({ file }) => file ?? []));
  return [...files].flatMap((file): Hint[] => {
    const own = reads.filter((use) => use.file === file);
    const tokens = own.slice(1).reduce((all, { resultTokens }) => all + resultTokens, 0);
    if (own.length < minWholeReads || tokens < minRereadTokens) return [];
    const unchanged = own.filter(({ isDuplicate }) => isDuplicate).length;
    return [{ kind: 'repeated-reads', file, times: own.length, unchanged, tokens }];
  });
}

function lostPinned({ view, blocks }: Analysed, pinned: readonly PinnedItem[]): Hint[] {
  const looked = pinned.filter(({ content }) => content.trim().length >= minPinned);
  if (looked.length === 0) return [];
  const shown = view.segments.flatMap(({ block }) => (block === undefined ? [] : blockText(block)));
  const summary = view.summary?.content.map(blockText) ?? [];
  const stays = [...summary, ...shown];
  return looked.flatMap(({ id, content }): Hint[] => {
    const text = content.trim();
    if (stays.some((one) => one.includes(text))) return [];
    const lost = view.segments.find(({ cause }, index) => {
      const block = blocks[index];
      return cause === 'compaction' && block !== undefined && blockText(block).includes(text);
    });
    if (lost === undefined) return [];
    return [{ kind: 'lost-pinned', item: id, segment: lost.segment, tokens: lost.givenTokens }];
  });
}

/** Plans the hints of a session, by kind, the most expensive first. Pure. */
export function planHints(
  analysed: Analysed,
  uses: readonly ToolUse[],
  pinned: readonly PinnedItem[],
): Hint[] {
  const dearest = (hints: readonly Hint[]) => hints.toSorted((a, b) => b.tokens - a.tokens);
  return [
    ...nearLimit(analysed.requests),
    ...dearest(lostPinned(analysed, pinned)),
    ...dearest(cacheBreaks(analysed.requests)),
    ...dearest(repeatedReads(uses)),
  ];
}
