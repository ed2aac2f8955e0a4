import type { Clock } from '@ctx/core';
import { isCtxError } from '@ctx/core';
import type { CollectionAccess } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';

/** How long an answer is kept, ms: 24 hours. */
export const keepAnswersMs: number = 24 * 60 * 60 * 1000;

const pruneBatch = 500;

/** Where answers are kept, of one tenant. */
export interface AnswerPlace {
  readonly backend: StoreBackend;
  readonly collection: CollectionAccess;
  readonly clock: Clock;
}

/** Deletes answers that are too old, and what else lies among them, a batch of them. What is just written anew stays. */
export async function pruneAnswers({ backend, collection, clock }: AnswerPlace): Promise<void> {
  const range = { to: clock() - keepAnswersMs };
  const old = collection.scan({ index: 'by_age', range, limit: pruneBatch, part: 'columns' });
  const removals = [];
  for await (const { key, version } of old) {
    removals.push(collection.remove({ key, expectVersion: version }));
  }
  try {
    if (removals.length > 0) await backend.write(removals);
  } catch (error) {
    // Somebody else prunes or writes one of them just now: they go the next time.
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
  }
}
