import type { Clock, IdSource, ImportancePolicy, TokenCounter } from '@ctx/core';
import type { Redactor } from '@ctx/redact';
import type { StoreBackend } from './backend/store-backend.ts';

/** What is handed to every service of a store. */
export interface StoreHost {
  readonly backend: StoreBackend;
  /** As `OpenOptions.onMark` hands it over; `undefined` from backends without one. */
  readonly readMark: () => string | undefined;
  readonly tenant: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly countTokens: TokenCounter;
  readonly redactor: Redactor;
  readonly importancePolicy: ImportancePolicy;
}
