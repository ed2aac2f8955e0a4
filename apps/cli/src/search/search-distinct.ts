import type { ContextStore, OutputHit } from '@ctx/store';
import { conversationTool, isKeptByFit } from '@ctx/truncation';

/** Hits, and how many are left out as copies. */
export interface DistinctHits {
  readonly hits: readonly OutputHit[];
  readonly copies: number;
}

/**
 * Leaves out what `ctx fit` keeps a second time: results that stand in another session, too, and whole conversations, of
 * which each result is a hit of its own.
 * Contract: pure; keeps the order; never leaves out all of several equal results.
 */
function withoutCopies(hits: readonly OutputHit[]): DistinctHits {
  const printOf = ({ pointer }: OutputHit): string => `${pointer.toolName} ${pointer.fingerprint}`;
  const originals = hits.filter(({ pointer }) => !isKeptByFit(pointer));
  const shown = new Set(originals.map(printOf));
  const distinct = hits.filter((hit) => {
    if (!isKeptByFit(hit.pointer)) return true;
    if (hit.pointer.toolName === conversationTool || shown.has(printOf(hit))) return false;
    shown.add(printOf(hit));
    return true;
  });
  return { hits: distinct, copies: hits.length - distinct.length };
}

/** Most hits that a store gives. */
const mostHits = 1000;

/**
 * Searches all sessions, without copies that `ctx fit` keeps.
 * Cost: one search; where it finds such copies, one more over up to 1,000 hits without their lines, and one with.
 */
export async function searchDistinct(
  { outputs }: ContextStore,
  text: string,
  limit: number,
): Promise<DistinctHits> {
  const first = await outputs.search({ text, limit, lines: true });
  if (!first.some(({ pointer }) => isKeptByFit(pointer))) return { hits: first, copies: 0 };
  // A copy and its original have the same score, but hundreds of others may have it, too.
  const wide = await outputs.search({ text, limit: mostHits });
  const kept = withoutCopies(wide).hits.slice(0, limit);
  const ids = new Set(kept.map(({ pointer }) => pointer.id));
  const last = wide.findLastIndex(({ pointer }) => ids.has(pointer.id)) + 1;
  const found = await outputs.search({ text, limit: Math.max(limit, last), lines: true });
  return { hits: found.filter(({ pointer }) => ids.has(pointer.id)), copies: last - kept.length };
}
