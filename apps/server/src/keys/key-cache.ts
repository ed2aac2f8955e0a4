import type { Clock } from '@ctx/core';
import { recentMap } from '@ctx/store';
import type { ApiKey } from './api-key.ts';

/** A key as the store had it a short while ago. */
export interface KnownKey {
  readonly key: ApiKey;
  /** SHA-256 of its secret. */
  readonly secretHash: string;
}

/** The keys that were read lately. Holds hashes, never secrets. */
export interface KnownKeys {
  /** The key of an id, where it was read a short while ago. */
  get(id: string): KnownKey | undefined;
  /** Where one reads a key now. Give it to `set` with what was read. */
  mark(): number;
  /** Notes what was read. Nothing where a key was dropped since the mark: what was read may be what it was before. */
  set(id: string, known: KnownKey, mark: number): void;
  /** Forgets a key: the next one who asks reads the store. */
  drop(id: string): void;
}

interface Entry extends KnownKey {
  /** ms since the epoch. */
  readonly readAt: number;
}

/** Most keys that are known. */
const mostKnown = 1000;

/** Makes an empty one, whose keys are known for `rememberMs`; 0: for no time at all. */
export function knownKeys(clock: Clock, rememberMs: number): KnownKeys {
  const entries = recentMap<Entry>(mostKnown);
  let drops = 0;
  return {
    get: (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const age = clock() - entry.readAt;
      // A clock that was set back must not make a key live longer.
      if (age >= 0 && age < rememberMs) return entry;
      entries.delete(id);
      return undefined;
    },
    mark: () => drops,
    set: (id, known, mark) => {
      if (rememberMs <= 0 || mark !== drops) return;
      entries.set(id, { ...known, readAt: clock() });
    },
    drop: (id) => {
      drops += 1;
      entries.delete(id);
    },
  };
}
