import type { ContextStore, Session } from '@ctx/store';
import { takeClaim } from './session-claim.ts';
import { startClaimWait } from './wait-for-claim.ts';

/** Time between two signs of life, ms. */
const renewEvery = 10_000;

/** How a session is taken. */
export interface HoldSessionOptions {
  /** Returns the session that is written to take it; `before` is the one that is there. */
  readonly begin: (before: Session | undefined) => Session;
  readonly signal: AbortSignal;
}

/**
 * Takes a session for this process until the returned function is called. Waits while another process that takes sessions so (an import,
 * a replay) writes it.
 * @throws `CTX_ABORTED`, and the codes of the store.
 */
export async function holdSession(
  store: ContextStore,
  id: string,
  { begin, signal }: HoldSessionOptions,
): Promise<() => Promise<void>> {
  const others = startClaimWait({ signal });
  for (;;) {
    const before = await store.sessions.get(id);
    if (!(await others.isFree(before))) continue;
    const claim = await takeClaim(store, begin(before));
    if (claim === undefined) continue;
    // A process that lost its claim goes on; what cannot be written fails where it is written.
    const timer = setInterval(() => void claim.renew().catch(() => undefined), renewEvery);
    return async () => {
      clearInterval(timer);
      await claim.release().catch(() => undefined);
    };
  }
}
