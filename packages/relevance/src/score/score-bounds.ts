/** Rounding changes a sum by less than this share of it. */
export const slack = 1e-9;

export interface PossiblyBestOptions {
  /** What a part of 1 adds to a score. */
  readonly share: number;
  /** No score gets more than this on top. */
  readonly margin: number;
  /** So many of the best are asked for. */
  readonly limit: number;
  /** More are not worth having. */
  readonly most: number;
}

/**
 * The positions, rising, of all scores that can be among the best, when each is `base + share × part` and up to `margin` more;
 * a base below 0 is left out. `undefined` where they are more than `most`.
 * Makes one pass.
 */
export function possiblyBest(
  base: Float64Array,
  parts: Float64Array,
  { share, margin, limit, most }: PossiblyBestOptions,
): Uint32Array | undefined {
  if (limit <= 0) return undefined;
  const floorFor = (least: number): number => Math.max(0, least * (1 - slack) - margin);
  const best = highestValues(limit);
  let found: number[] = [];
  let floor = 0;
  const keep = (): void => {
    found = found.filter((at) => (base[at] ?? 0) + share * (parts[at] ?? 0) >= floor);
  };
  // The newest come last and score high: with them the floor rises at once.
  for (let position = base.length - 1; position >= 0; position--) {
    const score = base[position] ?? -1;
    const lower = score + share * (parts[position] ?? 0);
    if (score < 0 || lower < floor) continue;
    floor = floorFor(best.offer(lower));
    found.push(position);
    if (found.length > 4 * most) keep();
    if (found.length > 4 * most) return undefined;
  }
  keep();
  return found.length > most ? undefined : Uint32Array.from(found.reverse());
}

/** The highest of the values offered. */
interface HighestValues {
  /** Gives the least of the highest so far, 0 as long as they are fewer than `limit`. */
  offer(value: number): number;
}

function highestValues(limit: number): HighestValues {
  // A heap with the least on top.
  const heap = new Float64Array(limit);
  let size = 0;
  return {
    offer: (value) => {
      if (size < limit) {
        raise(heap, size, value);
        size++;
      } else if (value > (heap[0] ?? 0)) {
        sink(heap, value);
      }
      return size < limit ? 0 : (heap[0] ?? 0);
    },
  };
}

/** Puts a value at the free place `child` and lets it rise. */
function raise(heap: Float64Array, child: number, value: number): void {
  let place = child;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if ((heap[parent] ?? 0) <= value) break;
    heap[place] = heap[parent] ?? 0;
    place = parent;
  }
  heap[place] = value;
}

/** Puts a value in place of the top and lets it sink. */
function sink(heap: Float64Array, value: number): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
    if ((heap[child] ?? 0) >= value) break;
    heap[place] = heap[child] ?? 0;
    place = child;
  }
  heap[place] = value;
}
