import { CtxError, isCtxError } from '@ctx/core';
import type { ContextStore, EventInput } from '@ctx/store';
import type { WindowEvent } from '../../window/window-event.ts';
import { entriesTo, readLog, type StoredLog } from './read-log.ts';
import type { SessionPlace } from './session-place.ts';
import { copiedEvent, readEvent, storedEvent } from './stored-event.ts';

/** Which session begins, and with what. */
export interface ForkTarget {
  readonly sessionId: string;
  /** The last event that it has in common with this one. */
  readonly to: number;
}

/** In a copy, nothing stands between a rewind and where it goes: it goes nowhere. */
function inCopy(event: WindowEvent, place: number): WindowEvent {
  return event.type === 'rewound' ? { ...event, to: place - 1 } : event;
}

function conflict(sessionId: string, cause: unknown): unknown {
  if (!isCtxError(cause, 'CTX_STORE_CONFLICT')) return cause;
  return new CtxError('CTX_STORE_CONFLICT', `session ${sessionId} has a log already`, { cause });
}

/**
 * The log of a copy that has the events up to `to` in common.
 * @throws `CTX_INVALID_INPUT` where there is no such event.
 */
export function forkedEvents(
  { store, sessionId }: SessionPlace,
  log: StoredLog,
  to: number,
): EventInput[] {
  const entries = entriesTo(log, to);
  const forked = storedEvent({ type: 'forked', sessionId, to, at: store.clock() });
  const copies = entries.map((entry, index) =>
    copiedEvent(entry, sessionId, (event) => inCopy(event, index + 1)),
  );
  return [forked, ...copies];
}

/**
 * Copies a log up to an event into a new session, without what rewinds left out. Results stay in the outputs of the session
 * they came from. All or nothing. Reads the log up to there, and writes once.
 * @throws `CTX_STORE_CONFLICT` where the new session has a log; `CTX_INVALID_INPUT` where there is no such event.
 */
export async function forkSession(place: SessionPlace, target: ForkTarget): Promise<void> {
  const { store, sessionId } = place;
  const events = forkedEvents(place, await readLog(store, sessionId), target.to);
  try {
    await store.events.append(target.sessionId, events, { first: 0 });
  } catch (error) {
    throw conflict(target.sessionId, error);
  }
}

/** Most sessions that one may come from, one from the other. */
const maxOrigins = 100;

/**
 * The sessions that a session was forked from, nearest first: where results are kept that its log names.
 * Reads one event of each.
 */
export async function originsOf(store: ContextStore, sessionId: string): Promise<string[]> {
  const origins: string[] = [];
  for (let name = sessionId; origins.length < maxOrigins; ) {
    const origin = await originOf(store, name);
    if (origin === undefined || origin === sessionId || origins.includes(origin)) break;
    origins.push(origin);
    name = origin;
  }
  return origins;
}

async function originOf({ events }: ContextStore, sessionId: string): Promise<string | undefined> {
  for await (const entry of events.read(sessionId, { limit: 1 })) {
    if (entry.type !== 'window-forked') return undefined;
    const { event } = readEvent(entry);
    return event.type === 'forked' ? event.sessionId : undefined;
  }
  return undefined;
}
