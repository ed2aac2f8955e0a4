import { CtxError } from '@ctx/core';

/** @throws `CTX_ABORTED` where the signal was given already. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new CtxError('CTX_ABORTED', 'this was called off', { cause: signal.reason });
}
