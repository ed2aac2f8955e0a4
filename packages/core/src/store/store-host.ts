import type { Redactor } from '../content/redact.ts';
import type { Clock } from '../host/clock.ts';
import type { IdSource } from '../host/ids.ts';
import type { TokenCounter } from '../host/token-counter.ts';
import type { ImportancePolicy } from '../scoring/importance-policy.ts';
import type { StoreBackend } from './store-backend.ts';

/** What is handed to every service of a store. */
export interface StoreHost {
  readonly backend: StoreBackend;
  readonly tenant: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly countTokens: TokenCounter;
  readonly redactor: Redactor;
  readonly importancePolicy: ImportancePolicy;
}
