import { type ContextStore, CtxError, type EventInput, isCtxError } from '@ctx/core';

/** Writes the log of one session, of which it knows the end. */
export interface LogWriter {
  /** Sequence number that the next event gets. */
  readonly next: number;
  /** Throws the error after which nothing is written any more, if there was one. */
  check(): void;
  /** Takes an event and gives its sequence number. */
  add(event: EventInput): number;
  /**
   * Waits until all that was taken is in the store; what comes while a write is under way goes with the next one.
   * Contract: after an error nothing is written any more, and each call rejects with it.
   * Throws: `CTX_STORE_CONFLICT` where somebody else continued the log; the codes of the store.
   */
  commit(): Promise<void>;
}

function failureOf(error: unknown, sessionId: string): unknown {
  if (!isCtxError(error, 'CTX_STORE_CONFLICT')) return error;
  const message = `somebody else continued session ${sessionId} since it was opened; open it again`;
  return new CtxError('CTX_STORE_CONFLICT', message, { cause: error });
}

/** Makes a writer for a log that has `next` events. Cost: one write a batch, nothing is read. */
export function createLogWriter(
  { events }: ContextStore,
  sessionId: string,
  next: number,
): LogWriter {
  let waiting: EventInput[] = [];
  let written = next;
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      await events.append(sessionId, batch, { first: written });
      written += batch.length;
    } catch (error) {
      failure = { error: failureOf(error, sessionId) };
    }
    writing = undefined;
  };
  const hasWork = (): boolean => writing !== undefined || waiting.length > 0;
  return {
    get next() {
      return next;
    },
    check: () => {
      if (failure !== undefined) throw failure.error;
    },
    add: (event) => {
      waiting.push(event);
      next += 1;
      return next - 1;
    },
    commit: async () => {
      while (failure === undefined && hasWork()) {
        writing ??= write();
        await writing;
      }
      if (failure !== undefined) throw failure.error;
    },
  };
}
