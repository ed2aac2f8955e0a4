import { CtxError } from '@ctx/core';

/** How one piece of work ended. */
export type Timed<Result> =
  | { readonly outcome: 'done'; readonly result: Result }
  | { readonly outcome: 'failed'; readonly error: unknown }
  | { readonly outcome: 'timed-out' };

/** Bounds of one piece of work. */
export interface TimeOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Does work that may fail or never end.
 * Answers within `timeoutMs`, whether the work heeds its signal or not; what it does later is ignored.
 * @throws `CTX_ABORTED` as soon as the caller's signal is aborted.
 */
export async function withinTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, signal }: TimeOptions,
): Promise<Timed<Result>> {
  throwIfAborted(signal);
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const late = new Promise<Timed<Result>>((resolve) => {
    timer = setTimeout(() => {
      resolve({ outcome: 'timed-out' });
    }, timeoutMs);
    onAbort = () => {
      resolve({ outcome: 'timed-out' });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  const done = attempt(work, stop.signal);
  try {
    const first = await Promise.race([done, late]);
    throwIfAborted(signal);
    return first;
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

async function attempt<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Timed<Result>> {
  try {
    return { outcome: 'done', result: await work(signal) };
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new CtxError('CTX_ABORTED', 'the compaction was aborted', { cause: signal.reason });
}
