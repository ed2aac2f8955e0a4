/** Tells whether `a` comes before `b`. */
export type ComesBefore = (a: number, b: number) => boolean;

/**
 * The first `limit` numbers in order, without sorting the rest.
 * Contract: `comesBefore` is a strict total order. Cost: n log limit comparisons at worst, near n as a rule.
 */
export function firstInOrder(count: number, limit: number, comesBefore: ComesBefore): number[] {
  if (limit <= 0) return [];
  // A heap with the last of the kept on top.
  const heap: number[] = [];
  for (let number = 0; number < count; number++) {
    if (heap.length < limit) {
      heap.push(number);
      siftUp(heap, comesBefore);
    } else if (comesBefore(number, heap[0] ?? 0)) {
      heap[0] = number;
      siftDown(heap, comesBefore);
    }
  }
  return heap.sort((a, b) => (comesBefore(a, b) ? -1 : 1));
}

function siftUp(heap: number[], comesBefore: ComesBefore): void {
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!comesBefore(heap[parent] ?? 0, heap[child] ?? 0)) return;
    swap(heap, parent, child);
    child = parent;
  }
}

function siftDown(heap: number[], comesBefore: ComesBefore): void {
  let parent = 0;
  for (;;) {
    let last = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && comesBefore(heap[last] ?? 0, heap[child] ?? 0)) last = child;
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
