/** Of two with equal scores, tells whether `a` comes before `b`. */
export type BreaksTie = (a: number, b: number) => boolean;

interface Ranking {
  readonly scores: Float64Array;
  readonly breaksTie: BreaksTie;
}

/**
 * The positions of the `limit` highest scores, highest first, without sorting the rest. Scores below 0 are left out.
 * `breaksTie` is a strict total order. Makes n log limit comparisons at worst, near n as a rule.
 */
export function highestScores(scores: Float64Array, limit: number, breaksTie: BreaksTie): number[] {
  const ranking = { scores, breaksTie };
  // A heap with the last of the kept on top.
  const heap: number[] = [];
  let least = limit > 0 ? 0 : Number.POSITIVE_INFINITY;
  for (let position = 0; position < scores.length; position++) {
    if ((scores[position] ?? -1) < least) continue;
    if (heap.length < limit) pushOnHeap(heap, position, ranking);
    else replaceTop(heap, position, ranking);
    if (heap.length === limit) least = scores[heap[0] ?? 0] ?? 0;
  }
  return heap.sort((a, b) => (comesBefore(ranking, a, b) ? -1 : 1));
}

function pushOnHeap(heap: number[], position: number, ranking: Ranking): void {
  heap.push(position);
  siftUp(heap, ranking);
}

function replaceTop(heap: number[], position: number, ranking: Ranking): void {
  if (!comesBefore(ranking, position, heap[0] ?? 0)) return;
  heap[0] = position;
  siftDown(heap, ranking);
}

function comesBefore({ scores, breaksTie }: Ranking, a: number, b: number): boolean {
  const better = (scores[a] ?? 0) - (scores[b] ?? 0);
  return better === 0 ? breaksTie(a, b) : better > 0;
}

function siftUp(heap: number[], ranking: Ranking): void {
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!comesBefore(ranking, heap[parent] ?? 0, heap[child] ?? 0)) return;
    swap(heap, parent, child);
    child = parent;
  }
}

function siftDown(heap: number[], ranking: Ranking): void {
  let parent = 0;
  for (;;) {
    let last = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && comesBefore(ranking, heap[last] ?? 0, heap[child] ?? 0))
        last = child;
    }
    if (last === parent) return;
    swap(heap, parent, last);
    parent = last;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const kept = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = kept;
}
