import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { View } from './queries.ts';

/** Requests on each side among which a known view is looked for. */
const nearby = 5;

/** Finds the nearest view that the page has and that is still valid; `undefined` where it has none. */
export function knownViewNear(
  queries: QueryClient,
  at: number,
  keyOf: (at: number) => QueryKey,
): View | undefined {
  for (let distance = 1; distance <= nearby; distance += 1) {
    for (const other of [at - distance, at + distance]) {
      const state = queries.getQueryState<View>(keyOf(other));
      if (state?.data !== undefined && !state.isInvalidated) return state.data;
    }
  }
  return undefined;
}

/** Puts the changes between two views into the first, whose sizes are scaled to those of the other; `undefined` where they do not fit together. Pure. */
export function mergeView(before: View, { without = [], ...changes }: View): View | undefined {
  const scale = changes.scale / before.scale;
  const pieces = new Map(
    before.segments.map((one) => [
      one.segment,
      {
        ...{ ...one, tokensBefore: one.tokensBefore * scale },
        tokensAfter: one.tokensAfter * scale,
      },
    ]),
  );
  for (const segment of without) pieces.delete(segment);
  for (const one of changes.segments) pieces.set(one.segment, one);
  const segments = [...pieces.values()].sort((one, other) => one.segment - other.segment);
  const total = changes.kinds.reduce((sum, one) => sum + one.segments, 0);
  return segments.length === total ? { ...changes, segments } : undefined;
}
