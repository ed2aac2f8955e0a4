import { recentMap } from './recent-map.ts';

/** One look at what is known by a name. */
export interface KnownRead<T> {
  /** Returns what was kept if nothing was written since. */
  readonly value: T | undefined;
  /** Keeps what is read from here on. Absent at the first read after a write: perhaps no other follows. */
  readonly keep: ((value: T) => void) | undefined;
}

/** What was read lately. */
export interface KnownReads<T> {
  /** `value` is what one would read now. Looks once at the store's mark. */
  look(name: string): KnownRead<T>;
}

/** Most that is known at once. */
const mostKnown = 64;

/** Caches what is read repeatedly, until the next write. Caches nothing if the backend has no marks. */
export function knownReads<T>(readMark: () => string | undefined): KnownReads<T> {
  const known = recentMap<{ readonly mark: string; readonly value: T | undefined }>(mostKnown);
  const unknown: KnownRead<T> = { value: undefined, keep: undefined };
  return {
    look: (name) => {
      const mark = readMark();
      if (mark === undefined) return unknown;
      const entry = known.get(name);
      if (entry?.mark !== mark) {
        known.set(name, { mark, value: undefined });
        return unknown;
      }
      const keep = (value: T): void => {
        known.set(name, { mark, value });
      };
      return { value: entry.value, keep };
    },
  };
}
