import { isCtxError } from '@ctx/core';

/** Most tries before a conflict is handed to the caller. */
export const maxConflictTries = 500;

/**
 * Retries a read-modify-write until it commits without a conflict. `run` reads again each time.
 * Waits a little longer after each conflict (at most 20 ms), so that several writers do not starve one another.
 */
export async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT') || tries >= maxConflictTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(tries - 1, 20)));
    }
  }
}
