import { setTimeout as wait } from 'node:timers/promises';
import { CtxError } from '@ctx/core';
import type { Session } from '@ctx/store';
import { claimOf, isAlive } from './session-claim.ts';

/** Waits until no process writes a session any more. */
export interface ClaimWait {
  /**
   * Whether the session, as it was just read, is free. Where it is not, waits a moment first; then read it again.
   * Says `true` in the end also of a writer that lives but gives no sign of life for two minutes.
   * @throws `CTX_ABORTED`.
   */
  readonly isFree: (session: Session | undefined) => Promise<boolean>;
}

/** How to wait. */
export interface ClaimWaitOptions {
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: () => void;
}

const pollEvery = 200;
const longestSilence = 120_000;

/** Starts to wait for one session. */
export function startClaimWait({ signal, onWait }: ClaimWaitOptions): ClaimWait {
  let lastSign = '';
  let silence = 0;
  return {
    isFree: async (session) => {
      const claim = session && claimOf(session);
      if (claim === undefined || !isAlive(claim)) return true;
      // Own waits are counted, not clocks compared: those jump, and a machine that slept kept everybody still.
      const sign = `${claim.id} ${String(claim.at)}`;
      silence = sign === lastSign ? silence + pollEvery : 0;
      lastSign = sign;
      if (silence >= longestSilence) return true;
      onWait?.();
      await wait(pollEvery, undefined, { signal }).catch((cause: unknown) => {
        const text = `waiting for another writer of session ${session?.id ?? ''} was stopped`;
        throw new CtxError('CTX_ABORTED', text, { cause });
      });
      return false;
    },
  };
}
