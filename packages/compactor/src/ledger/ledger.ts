import type { Trust } from '@ctx/core';

/** One thing that must outlive every compaction. */
export interface LedgerEntry {
  /** What must stand in the compacted text, word by word. */
  readonly key: string;
  /** The line that is added where the key is missing: the key, and what belongs to it. */
  readonly text: string;
  readonly trust: Trust;
}

/** What a person said, as it is carried on. */
export interface CarriedText {
  readonly text: string;
  /** Whether the middle was left out. */
  readonly isShortened: boolean;
}

/**
 * What is known about a conversation without any model. It is never summarised: a compacted text must hold every entry, and code
 * adds what is missing. Plain data, so that it can be stored and handed to the next compaction. Newest first, but for the texts of
 * the user, which keep their order.
 */
export interface Ledger {
  readonly userTexts: readonly CarriedText[];
  readonly constraints: readonly LedgerEntry[];
  readonly decisions: readonly LedgerEntry[];
  /** Open tasks. */
  readonly tasks: readonly LedgerEntry[];
  /** Files read and changed, with their pointers. */
  readonly files: readonly LedgerEntry[];
  /** Commands and how they ended. */
  readonly commands: readonly LedgerEntry[];
  /** Errors that nothing after them shows to be mended. */
  readonly errors: readonly LedgerEntry[];
  /** Names, numbers and addresses that later calls used. */
  readonly literals: readonly LedgerEntry[];
  /** Entries that found no room, and texts of the user that were left out. */
  readonly leftOut: number;
}

/** The lists of entries, in the order in which they are written. */
export const ledgerParts = [
  'constraints',
  'decisions',
  'tasks',
  'files',
  'commands',
  'errors',
  'literals',
] as const;

export type LedgerPart = (typeof ledgerParts)[number];

/** All entries, by importance. */
export function entriesOf(ledger: Ledger): LedgerEntry[] {
  return ledgerParts.flatMap((part) => ledger[part]);
}
