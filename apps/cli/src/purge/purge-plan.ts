import type { RecordKey, WriteOperation } from '@ctx/core';

/** What is to be destroyed within one tenant. */
export type PurgeScope =
  | { readonly sessions: readonly string[] }
  /** The sessions, items, facts and checkpoints of one agent. */
  | { readonly agent: string }
  /** Sessions without activity since, and what else nobody touched since. ms since the epoch. */
  | { readonly before: number; readonly withPinned: boolean }
  /** Everything of the tenant, its keys and its name. */
  | { readonly all: true };

/** What will be destroyed, before it is. Plain. */
export interface PurgePlan {
  readonly tenant: string;
  /** Decoded, oldest first. */
  readonly sessions: readonly string[];
  /** Records by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Checkpoints that go through their service, since contents are kept for them. */
  readonly checkpoints: readonly string[];
  /** Items that go through their service, since checkpoints keep their contents. */
  readonly items: readonly (readonly [agentId: string, itemId: string])[];
  /** In the order in which they are written: the records of the sessions themselves come last. */
  readonly operations: readonly WriteOperation[];
  /** Sessions that were forked from those that go: they hold copies of what was said. */
  readonly forks: readonly string[];
}

/** A plan while it is made. */
export interface PurgeDraft {
  readonly counts: Record<string, number>;
  readonly checkpoints: Set<string>;
  readonly items: Map<string, readonly [string, string]>;
  readonly operations: WriteOperation[];
  readonly last: WriteOperation[];
  readonly forks: Set<string>;
}

/** A plan with nothing in it. */
export function emptyDraft(): PurgeDraft {
  return {
    counts: {},
    checkpoints: new Set(),
    items: new Map(),
    operations: [],
    last: [],
    forks: new Set(),
  };
}

/** Counts records of a collection. */
export function count({ counts }: PurgeDraft, collection: string, records = 1): void {
  counts[collection] = (counts[collection] ?? 0) + records;
}

/** Puts the removal of a record into the plan. */
export function remove(draft: PurgeDraft, collection: string, key: RecordKey): void {
  count(draft, collection);
  const target = collection === 'sessions' ? draft.last : draft.operations;
  target.push({ type: 'delete', collection, key });
}
