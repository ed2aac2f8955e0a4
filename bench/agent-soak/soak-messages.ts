/** What a child tells its parent: what the store has acknowledged, and what may be gone from now on. */
export type SoakMessage =
  | { readonly kind: 'item'; readonly id: string; readonly content: string }
  /** How many messages the log of a session has. */
  | { readonly kind: 'messages'; readonly sessionId: string; readonly count: number }
  | { readonly kind: 'result'; readonly id: string; readonly text: string }
  /** Results that retention is about to delete, or items. */
  | { readonly kind: 'leaving'; readonly ids: readonly string[] }
  /** A session that is about to be purged, with its results. */
  | { readonly kind: 'purging'; readonly sessionId: string; readonly ids: readonly string[] }
  /** Something that may not be. */
  | { readonly kind: 'wrong'; readonly what: string }
  /** What it takes behind a retention. */
  | { readonly kind: 'sizes'; readonly heap: number; readonly age: number }
  | { readonly kind: 'turn' };

/** Where a store is. */
export interface SoakPlace {
  readonly store: 'files' | 'sqlite' | 'postgres';
  /** A folder, or the URL of a database. */
  readonly place: string;
  readonly schema: string;
}

/** What a child is started with. */
export interface SoakRun extends SoakPlace {
  /** What its clock is off by, ms. */
  readonly offset: number;
  readonly seed: number;
  /** The session that goes on, by its number. */
  readonly session: number;
}
