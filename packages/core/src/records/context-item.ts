import type { Trust } from './trust.ts';

/** All of an item but its content: what lists, manifests and receipts need. */
export interface ItemSummary {
  readonly id: string;
  readonly agentId: string;
  /** TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or any other text of 1 to 64 characters. */
  readonly kind: string;
  /** Importance without its moving part: see `rankOf`. */
  readonly rank: number;
  readonly accessCount: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** When the content was last saved as something new, ms since the epoch. */
  readonly updatedAt: number;
  /** When it was last read or saved, ms since the epoch. */
  readonly lastAccessedAt: number;
  /** Since when it has its rank and its place (archived or not), ms since the epoch. */
  readonly rankedAt: number;
  /** Pinned items rank before all others and are always hot. */
  readonly pinned: boolean;
  /** Archived items are kept but in no tier's list. */
  readonly archived: boolean;
  /** When it was finished, ms since the epoch. What is finished is cold however often it is read. */
  readonly finishedAt?: number;
  /** Its own weight, above 0, at most 1, where the caller gave one; else the weight of its kind counts. */
  readonly weight?: number;
  /** Who said it: `user`, `developer`, `assistant`, or the name of a tool or file; `unknown` where nobody told. */
  readonly source: string;
  readonly trust: Trust;
  /** The session in which it was saved. */
  readonly sessionId?: string;
  /** SHA-256 (hex) of the content. */
  readonly fingerprint: string;
  readonly tokens: number;
}

/** A piece of content that may enter the prompt (seed 004). */
export interface ContextItem extends ItemSummary {
  readonly content: string;
}
