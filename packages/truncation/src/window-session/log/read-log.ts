import { CtxError, type SessionEvent } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { type LogRange, type RewindMark, rangesTo } from '../../window/log/log-path.ts';
import { takeTurns } from './take-turns.ts';
import { isOfWindow, type ReadEvent, readEvent } from './stored-event.ts';

/** A moment that was given a name. */
export interface WindowCheckpoint {
  readonly name: string;
  /** Place of the checkpoint in the log: what to rewind to. */
  readonly sequence: number;
  /** ms since the epoch. */
  readonly at: number;
}

/** The log of a session as it stands in the store. */
export interface StoredLog {
  /** The entries of the window; others may stand between them. */
  readonly entries: readonly SessionEvent[];
  /** Sequence number that the next event gets. */
  readonly next: number;
  readonly rewinds: readonly RewindMark[];
  /** The newest of each name, oldest first. */
  readonly checkpoints: ReadonlyMap<string, WindowCheckpoint>;
}

function rewindOf(entry: SessionEvent): RewindMark[] {
  const { event } = readEvent(entry);
  return event.type === 'rewound' ? [{ at: entry.sequence, to: event.to }] : [];
}

function checkpointsOf(entries: readonly SessionEvent[]): Map<string, WindowCheckpoint> {
  const found = new Map<string, WindowCheckpoint>();
  for (const entry of entries) {
    if (entry.type !== 'window-checkpoint') continue;
    const { event, sequence } = readEvent(entry);
    if (event.type !== 'checkpoint') continue;
    found.delete(event.name);
    found.set(event.name, { name: event.name, sequence, at: event.at });
  }
  return found;
}

/**
 * Reads a log, `from` an event on. Reads it without the results that the outputs hold.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readLog(
  { events }: ContextStore,
  sessionId: string,
  from = 0,
): Promise<StoredLog> {
  const entries: SessionEvent[] = [];
  let next = from;
  const turn = takeTurns();
  for await (const entry of events.read(sessionId, { from })) {
    const others = turn();
    if (others !== undefined) await others;
    next = entry.sequence + 1;
    if (isOfWindow(entry)) entries.push(entry);
  }
  const rewinds = entries.filter(({ type }) => type === 'window-rewound').flatMap(rewindOf);
  return { entries, next, rewinds, checkpoints: checkpointsOf(entries) };
}

function isIn(ranges: readonly LogRange[]): (entry: SessionEvent) => boolean {
  let place = 0;
  return ({ sequence }) => {
    while ((ranges[place]?.to ?? Infinity) < sequence) place += 1;
    return sequence >= (ranges[place]?.from ?? Infinity);
  };
}

/**
 * The entries that lead to the event `last`.
 * @throws `CTX_INVALID_INPUT` where the window has no such event.
 */
export function entriesTo(log: StoredLog, last: number = log.next - 1): readonly SessionEvent[] {
  const isKnown = last === log.next - 1 || log.entries.some(({ sequence }) => sequence === last);
  if (!isKnown) {
    const wanted = `event ${String(last)}`;
    throw new CtxError('CTX_INVALID_ADDRESS', `the window of this session has no ${wanted}`);
  }
  return log.entries.filter(isIn(rangesTo(last, log.rewinds)));
}

/**
 * The events that lead to the event `last`, one by one.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function* eventsTo(log: StoredLog, last?: number): Generator<ReadEvent> {
  for (const entry of entriesTo(log, last)) yield readEvent(entry);
}

/** The same for long work on each of them: others get a turn in between. */
export async function* eventsInTurns(log: StoredLog, last?: number): AsyncGenerator<ReadEvent> {
  const turn = takeTurns();
  for (const event of eventsTo(log, last)) {
    const others = turn();
    if (others !== undefined) await others;
    yield event;
  }
}
