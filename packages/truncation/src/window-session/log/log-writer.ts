import { CtxError, isCtxError } from '@ctx/core';
import type { CompactionDraft, ContextStore, EventInput, SessionCompaction } from '@ctx/store';

/** Writes the log of one session, of which it knows the end. */
export interface LogWriter {
  /** Sequence number that the next event gets. */
  readonly next: number;
  /** Throws the error after which nothing is written any more, if there was one. */
  check(): void;
  /** Lets nothing be written any more. */
  fail(error: unknown): void;
  /** Continues at `next`, after what another writer wrote. Nothing may wait. */
  skipTo(next: number): void;
  /** Takes an event and gives its sequence number. */
  add(event: EventInput): number;
  /** Takes the record of a compaction, which goes into the store with the events that wait. */
  attach(record: AttachedRecord): void;
  /**
   * Waits until all that was taken is in the store; what comes while a write is under way goes with the next one.
   * After an error nothing is written any more, and each call rejects with it.
   * @throws `CTX_STORE_CONFLICT` if another writer continued the log; the codes of the store.
   */
  commit(): Promise<void>;
}

/** The record of a compaction, and who is told what it became. */
export interface AttachedRecord {
  readonly draft: CompactionDraft;
  readonly onWritten: (record: SessionCompaction) => void;
}

function failureOf(error: unknown, sessionId: string): unknown {
  if (!isCtxError(error, 'CTX_STORE_CONFLICT')) return error;
  const message = `another writer continued session ${sessionId}; open it again`;
  return new CtxError('CTX_STORE_CONFLICT', message, { cause: error });
}

async function append(
  { events, compactions }: ContextStore,
  appended: Parameters<ContextStore['compactions']['commitEvents']>[0],
  record: AttachedRecord | undefined,
): Promise<void> {
  const { sessionId, first } = appended;
  if (record === undefined) await events.append(sessionId, appended.events, { first });
  else record.onWritten(await compactions.commitEvents(appended, record.draft));
}

/** Makes a writer for a log that has `next` events. Writes once a batch and reads nothing. */
export function createLogWriter(store: ContextStore, sessionId: string, next: number): LogWriter {
  let waiting: EventInput[] = [];
  let attached: AttachedRecord | undefined;
  let written = next;
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const write = async (): Promise<void> => {
    const batch = waiting;
    const record = attached;
    waiting = [];
    attached = undefined;
    try {
      await append(store, { sessionId, first: written, events: batch }, record);
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
    fail: (error) => {
      failure ??= { error };
    },
    skipTo: (place) => {
      next = place;
      written = place;
    },
    add: (event) => {
      waiting.push(event);
      next += 1;
      return next - 1;
    },
    attach: (record) => {
      attached = record;
    },
    commit: async () => {
      while (failure === undefined && hasWork()) await (writing ??= write());
      if (failure !== undefined) throw failure.error;
    },
  };
}
