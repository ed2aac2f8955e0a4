/** A heap of numbers, the one with the highest key on top. */
export interface Heap {
  readonly size: () => number;
  readonly push: (item: number, key: number) => void;
  /** Takes the top off; undefined where the heap is empty. Of equal keys the lower item comes first. */
  readonly pop: () => { readonly item: number; readonly key: number } | undefined;
  /** The key on top, −∞ where the heap is empty. */
  readonly topKey: () => number;
}

/** A push and a pop take logarithmic time. */
export function createHeap(): Heap {
  const entries: { readonly item: number; readonly key: number }[] = [];
  const isBefore = (left: number, right: number): boolean => {
    const [a, b] = [entries[left], entries[right]];
    if (a === undefined || b === undefined) return b === undefined && a !== undefined;
    return a.key === b.key ? a.item < b.item : a.key > b.key;
  };
  const swap = (left: number, right: number): void => {
    const [a, b] = [entries[left], entries[right]];
    if (a === undefined || b === undefined) return;
    entries[left] = b;
    entries[right] = a;
  };
  const rise = (start: number): void => {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(index, parent)) return;
      swap(index, parent);
      index = parent;
    }
  };
  const sink = (): void => {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const best = isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(best, index)) return;
      swap(best, index);
      index = best;
    }
  };
  return {
    size: () => entries.length,
    push: (item, key) => {
      rise(entries.push({ item, key }) - 1);
    },
    pop: () => {
      swap(0, entries.length - 1);
      const top = entries.pop();
      sink();
      return top;
    },
    topKey: () => entries[0]?.key ?? Number.NEGATIVE_INFINITY,
  };
}
