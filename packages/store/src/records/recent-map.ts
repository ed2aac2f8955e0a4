/** What was used last, by key. */
export interface RecentMap<Value> {
  /** Counts as a use. */
  get(key: string): Value | undefined;
  /** What was not used for the longest time leaves for it. A value that is larger than all room is not held. */
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * Makes an empty one that holds `room` in all: so many values, or what `sizeOf` says of each, which must stay the same.
 * Takes one step of a map each, and one for each value that leaves.
 */
export function recentMap<Value extends object | string | number>(
  room: number,
  sizeOf: (value: Value) => number = () => 1,
): RecentMap<Value> {
  // By their last use: a map keeps the order in which keys came.
  const values = new Map<string, Value>();
  let size = 0;
  const remove = (key: string): void => {
    const value = values.get(key);
    if (value === undefined) return;
    values.delete(key);
    size -= sizeOf(value);
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set: (key, value) => {
      remove(key);
      if (sizeOf(value) > room) return;
      values.set(key, value);
      size += sizeOf(value);
      for (const oldest of values.keys()) {
        if (size <= room) return;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
