import type { ContextStore, OutputHit } from '@ctx/store';
import { conversationTool, isKeptByFit } from './keep-conversation.ts';

/** Hits, and how many are left out as copies. */
export interface DistinctHits {
  readonly hits: readonly OutputHit[];
  readonly isComplete: boolean;
  readonly copies: number;
  readonly partlySearched: number;
}

/** What a call and its result are known by in every session. */
function printOf({ pointer: { toolName, args, fingerprint } }: OutputHit): string {
  return JSON.stringify([toolName, args, fingerprint]);
}

/**
 * Leaves out what stands in another session, too: equal calls with equal results, as a session has them that was imported, replayed or
 * fitted. What `ctx fit` keeps gives way to the original, and so do the whole conversations that it keeps, of which each result is a
 * hit of its own.
 * Pure; keeps the order; never leaves out all of several equal results.
 */
function withoutCopies(hits: readonly OutputHit[]): readonly OutputHit[] {
  const sessions = new Map<string, string>();
  const isOriginal = ({ pointer }: OutputHit): boolean => !isKeptByFit(pointer);
  for (const hit of [...hits.filter(isOriginal), ...hits]) {
    const print = printOf(hit);
    if (!sessions.has(print)) sessions.set(print, hit.pointer.sessionId);
  }
  return hits.filter((hit) => {
    const { toolName, sessionId } = hit.pointer;
    if (!isOriginal(hit) && toolName === conversationTool) return false;
    return sessions.get(printOf(hit)) === sessionId;
  });
}

/** Most hits that a store gives. */
const mostHits = 1000;

/**
 * Searches all sessions, without what one repeats of another.
 * Makes one search; where it finds such copies, one more over up to 1,000 hits without their lines, and one with.
 */
export async function searchDistinct(
  { outputs }: ContextStore,
  text: string,
  limit: number,
): Promise<DistinctHits> {
  const first = await outputs.search({ text, limit, lines: true });
  if (withoutCopies(first.hits).length === first.hits.length) return { ...first, copies: 0 };
  // A copy and its original have the same score, but hundreds of others may have it, too.
  const { hits: wide, isComplete } = await outputs.search({ text, limit: mostHits });
  const distinct = withoutCopies(wide);
  const kept = distinct.slice(0, limit);
  const ids = new Set(kept.map(({ pointer }) => pointer.id));
  const isAll = distinct.length <= limit;
  const last = isAll ? wide.length : wide.findLastIndex(({ pointer }) => ids.has(pointer.id)) + 1;
  const found = await outputs.search({ text, limit: Math.max(limit, last), lines: true });
  return {
    hits: found.hits.filter(({ pointer }) => ids.has(pointer.id)),
    isComplete: isComplete && isAll,
    copies: last - kept.length,
    partlySearched: found.partlySearched,
  };
}
