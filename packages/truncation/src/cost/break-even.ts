import type { CachePrice } from './prices.ts';

/** Sizes of what a session brings into each prompt, tokens. */
export interface CompactionSizes {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/**
 * After how many requests a compaction without a model has cost less than none: everything that stays is written to the
 * provider's cache again, and from then on each request reads less. `undefined`: never.
 * Pure. Source: the rule by which a window is compacted, without the request that a model would take.
 */
export function breakEvenRequests(
  { tokensBefore, tokensAfter }: CompactionSizes,
  { read, write }: Pick<CachePrice, 'read' | 'write'>,
): number | undefined {
  const saved = read * (tokensBefore - tokensAfter);
  if (saved <= 0) return undefined;
  return Math.max(1, Math.ceil(((write - read) * tokensAfter) / saved));
}
