import type { TokenCounter } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import { entryTokens } from '@ctx/store';
import { cutPlaces } from './cut-places.ts';
import { isOffloaded } from './offload-entry.ts';
import { pinnedAfter, userPlaces } from './pinned-entries.ts';
import type { SessionCompactionPolicy } from './session-compaction-policy.ts';

/** Tokens that a stub needs beside its preview, about. */
const stubTokens = 60;

/** Which entries stay, and which of those only as a stub. */
export interface ShrunkHistory {
  /** Entries before this place leave. */
  readonly start: number;
  /** Entries of which a preview with a pointer stays, in the history or pinned. */
  readonly offloaded: readonly EntryPlace[];
  /** Estimate of what stays, tokens. */
  readonly tokens: number;
  readonly fits: boolean;
  /** The biggest entries that stay; given where it does not fit. */
  readonly biggest: readonly { readonly role: string; readonly tokens: number }[];
}

/** Where an entry stands in a document. */
export interface EntryPlace {
  readonly list: 'history' | 'pinned';
  readonly index: number;
}

/** What is shrunk. */
export interface ShrinkInput {
  readonly history: readonly HistoryEntry[];
  readonly pinnedBefore: readonly HistoryEntry[];
  readonly policy: SessionCompactionPolicy;
  readonly countTokens: TokenCounter;
  /** Entries over this many are cut to `policy.keepEntries`. */
  readonly entriesLimit: number;
}

interface Shrinking {
  readonly input: ShrinkInput;
  readonly cuts: readonly boolean[];
  readonly places: ReturnType<typeof userPlaces>;
  /** Tokens of pinned entries, counted once. */
  readonly known: Map<HistoryEntry, number>;
  readonly offloaded: Set<HistoryEntry>;
  /** At `i` the tokens of all entries from `i` on. Counted once it is known what may stay. */
  sums: readonly number[];
  start: number;
  hasHalved: boolean;
}

function wholeTokens({ input, known }: Shrinking, entry: HistoryEntry): number {
  const whole = known.get(entry) ?? entryTokens(entry, input.countTokens);
  known.set(entry, whole);
  return whole;
}

/** Tokens that an entry has less as a stub. */
function savedBy({ input }: Shrinking, tokens: number): number {
  return Math.max(0, tokens - input.policy.previewTokens - stubTokens);
}

/** Tokens of an entry as it stays: whole, or as a stub. */
function tokensOf(state: Shrinking, entry: HistoryEntry): number {
  const whole = wholeTokens(state, entry);
  return state.offloaded.has(entry) ? whole - savedBy(state, whole) : whole;
}

function pinnedOf({ input, start, places }: Shrinking): readonly HistoryEntry[] {
  return pinnedAfter(input.history, { start, places, before: input.pinnedBefore });
}

/** What stays in the document: pinned entries, then the history from `start` on. */
function stayingOf(state: Shrinking): readonly HistoryEntry[] {
  return [...pinnedOf(state), ...state.input.history.slice(state.start)];
}

function countFrom({ input, start }: Shrinking): readonly number[] {
  const { history, countTokens } = input;
  const sums = new Array<number>(history.length + 1).fill(0);
  for (let at = history.length - 1; at >= start; at -= 1) {
    const entry = history[at];
    sums[at] = (sums[at + 1] ?? 0) + (entry ? entryTokens(entry, countTokens) : 0);
  }
  return sums;
}

function totalOf(state: Shrinking): number {
  const { sums, start, offloaded, input } = state;
  const pinned = pinnedOf(state);
  let total = sums[start] ?? 0;
  for (const entry of pinned) total += tokensOf(state, entry);
  for (const entry of offloaded) {
    const isInHistory = !pinned.includes(entry) && input.history.indexOf(entry) >= start;
    if (isInHistory) total -= savedBy(state, wholeTokens(state, entry));
  }
  return total;
}

/** Whether an entry that stays has more tokens than `limit`. Looks once at the sums, at no text. */
function hasOver(state: Shrinking, limit: number): boolean {
  const { sums, start } = state;
  for (let at = start; at < sums.length - 1; at += 1) {
    if ((sums[at] ?? 0) - (sums[at + 1] ?? 0) > limit) return true;
  }
  return pinnedOf(state).some((entry) => wholeTokens(state, entry) > limit);
}

/** The first place at or after `wanted` where the history may be cut and something stays; else the last one before. */
function cutNear({ cuts, start }: Shrinking, wanted: number): number | undefined {
  const end = cuts.length - 1;
  for (let at = wanted; at < end; at += 1) if (cuts[at] === true) return at;
  for (let at = Math.min(wanted, end) - 1; at > start; at -= 1) if (cuts[at] === true) return at;
  return undefined;
}

function cutToNewest(state: Shrinking): void {
  const { history, policy, entriesLimit } = state.input;
  if (history.length <= entriesLimit) return;
  state.start = cutNear(state, history.length - policy.keepEntries) ?? state.start;
}

/** Puts entries that are over `limit` aside, the biggest first, until it fits. Tells whether there was one. */
function offloadOver(state: Shrinking, limit: number): boolean {
  const { maxTokens, previewTokens } = state.input.policy;
  const stub = previewTokens + stubTokens;
  if (!hasOver(state, Math.max(limit, stub))) return false;
  const bigger = stayingOf(state)
    .filter((entry) => !state.offloaded.has(entry) && !isOffloaded(entry))
    .map((entry) => ({ entry, tokens: tokensOf(state, entry) }))
    .filter(({ tokens }) => tokens > Math.max(limit, stub))
    .sort((a, b) => b.tokens - a.tokens);
  let total = totalOf(state);
  for (const { entry, tokens } of bigger) {
    if (total <= maxTokens) break;
    state.offloaded.add(entry);
    total -= tokens - stub;
  }
  return bigger.length > 0;
}

function halve(state: Shrinking): boolean {
  const size = state.input.history.length - state.start;
  const cut = size < 2 ? undefined : cutNear(state, state.start + Math.floor(size / 2));
  if (cut === undefined) return false;
  state.start = cut;
  state.hasHalved = true;
  return true;
}

/** One step towards the target. Each step cuts or offloads something, so that this ends. */
function shrinkOnce(state: Shrinking): boolean {
  const { maxTokens } = state.input.policy;
  // No cut makes an entry fit that is larger than everything together may be.
  if (offloadOver(state, maxTokens)) return true;
  if (state.hasHalved && offloadOver(state, maxTokens / 2)) return true;
  return halve(state) || offloadOver(state, 0);
}

function placeOf({ history, pinnedBefore }: ShrinkInput, entry: HistoryEntry): EntryPlace {
  const index = history.indexOf(entry);
  if (index !== -1) return { list: 'history', index };
  return { list: 'pinned', index: pinnedBefore.indexOf(entry) };
}

function shrunk(state: Shrinking): ShrunkHistory {
  const { maxTokens } = state.input.policy;
  const tokens = totalOf(state);
  const fits = tokens <= maxTokens;
  const staying = fits && state.offloaded.size === 0 ? [] : stayingOf(state);
  const aside = staying.filter((entry) => state.offloaded.has(entry));
  const sizes = fits
    ? []
    : staying.map((entry) => ({ role: entry.role, tokens: tokensOf(state, entry) }));
  return {
    start: state.start,
    offloaded: aside.map((entry) => placeOf(state.input, entry)),
    tokens,
    fits,
    biggest: sizes.sort((a, b) => b.tokens - a.tokens).slice(0, 3),
  };
}

/**
 * Decides what stays of a history: at most `keepEntries` of the newest once there are more than `entriesLimit`; then, while it
 * has too many tokens, not the oldest half of it. Entries that alone are too large are offloaded.
 * Pure; cuts only where no call is parted from its results; something always stays.
 * Makes one pass over the history; tokens are counted of what stays, where they were not recorded.
 */
export function shrinkHistory(input: ShrinkInput): ShrunkHistory {
  const state: Shrinking = {
    input,
    cuts: cutPlaces(input.history),
    places: userPlaces(input.history),
    known: new Map(),
    sums: [],
    offloaded: new Set(),
    start: 0,
    hasHalved: false,
  };
  cutToNewest(state);
  state.sums = countFrom(state);
  while (totalOf(state) > input.policy.maxTokens && shrinkOnce(state));
  return shrunk(state);
}
