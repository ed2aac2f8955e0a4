import { RecordsMoved } from '../write/write-rows.ts';
import { isLostConnection, isTransient } from './postgres-errors.ts';

/** Tries are made for so long after the first of them failed: the time that a restart of a server may take. */
const longestMs = 10_000;
const longestWaitMs = 400;

/** The clock, and how to wait. */
export interface Waiting {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

const usualWaiting: Waiting = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

function mayGoNextTime(error: unknown): boolean {
  return error instanceof RecordsMoved || isTransient(error) || isLostConnection(error);
}

/**
 * Does a work, and again where the connection broke, the server undid it or a record moved. Each try is told its number, from 1.
 * No try begins later than 10 s after the first one failed.
 * @throws what the last try threw.
 */
export async function tryAgain<Result>(
  work: (tries: number) => Promise<Result>,
  { now, wait }: Waiting = usualWaiting,
): Promise<Result> {
  let giveUpAt: number | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(tries);
    } catch (error) {
      giveUpAt ??= now() + longestMs;
      if (!mayGoNextTime(error)) throw error;
      const pause = Math.min(longestWaitMs, 2 ** tries) * (0.5 + Math.random() / 2);
      if (now() + pause > giveUpAt) throw error;
      await wait(pause);
    }
  }
}
