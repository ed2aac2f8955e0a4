import type { Trust } from './trust.ts';

/** An item without its content, as lists, manifests and receipts need it. */
export interface ItemSummary {
  readonly id: string;
  readonly agentId: string;
  /** TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or any other text of 1 to 64 characters. */
  readonly kind: string;
  /** Importance without the part that changes with time: see `rankOf`. */
  readonly rank: number;
  readonly accessCount: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** When new content was last saved, ms since the epoch. */
  readonly updatedAt: number;
  /** When it was last read or saved, ms since the epoch. */
  readonly lastAccessedAt: number;
  /** Since when it has its rank and its place (archived or not), ms since the epoch. */
  readonly rankedAt: number;
  /** Pinned items rank before all others and are always hot. */
  readonly pinned: boolean;
  /** Archived items are kept but appear in no tier. */
  readonly archived: boolean;
  /** When it was finished, ms since the epoch. A finished item is cold however often it is read. */
  readonly finishedAt?: number;
  /** Its own weight, above 0, at most 1. Default: the weight of its kind. */
  readonly weight?: number;
  /** Who said it: `user`, `developer`, `assistant`, or the name of a tool or file. Default `unknown`. */
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
