import type { ContextStore } from '@ctx/core';

/** Where a log is, and whose it is. */
export interface SessionPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
}
