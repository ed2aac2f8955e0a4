import type { ContextStore } from '@ctx/store';

/** Where a log is, and whose it is. */
export interface SessionPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
}
