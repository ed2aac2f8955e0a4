import { CtxError } from '@ctx/core';

/** Bounds of one piece of work. */
export interface TimeBounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns what the work returns. The work may ignore its signal: what it does later is dropped.
 * @throws `CTX_ABORTED` when the time or the caller's signal ends it.
 */
export async function withinTime<Result>(
  work: (signal: AbortSignal) => Result | PromiseLike<Result>,
  { timeoutMs, signal }: TimeBounds,
): Promise<Result> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (message: string) => () => {
      reject(new CtxError('CTX_ABORTED', message));
    };
    onAbort = end('the caller aborted it');
    timer = setTimeout(end(`no answer within ${String(timeoutMs)} ms`), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
  });
  try {
    return await Promise.race([ended, Promise.resolve().then(() => work(stop.signal))]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}
