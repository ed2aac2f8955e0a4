/** A piece of content that may enter the prompt (seed 004). */
export interface ContextItem {
  readonly id: string;
  readonly agentId: string;
  /** TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or any other text. */
  readonly kind: string;
  readonly content: string;
  /** See `rankOf`. */
  readonly rank: number;
  readonly accessCount: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** ms since the epoch. */
  readonly lastAccessedAt: number;
  readonly pinned: boolean;
  readonly archived: boolean;
  /** SHA-256 (hex) of the content. */
  readonly fingerprint: string;
  readonly tokens: number;
}
