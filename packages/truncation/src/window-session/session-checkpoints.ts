import { CtxError } from '@ctx/core';
import { foldEvents } from './log/fold-session.ts';
import { forkSession } from './log/fork-session.ts';
import { eventsTo, readLog, type WindowCheckpoint } from './log/read-log.ts';
import { rewoundEvent } from './log/rewound-event.ts';
import { holdState, inTurn, type OpenSessionState, recordEvent, saySizes } from './session.ts';
import type { RewindReceipt, SessionWindow, SessionWindowOptions } from './session-window.ts';

/** What goes back, and on from there. */
export type SessionCheckpoints = Pick<
  SessionWindow,
  'rewind' | 'checkpoint' | 'checkpoints' | 'restore' | 'fork' | 'viewAt'
>;

/** Opens another session's window. */
export type OpenSession = (options: SessionWindowOptions) => Promise<SessionWindow>;

/** The state after an event, from the store. */
async function stateAt({ place, options, writer }: OpenSessionState, last: number) {
  await writer.commit();
  const log = await readLog(place.store, place.sessionId);
  return foldEvents(place, eventsTo(log, last), options);
}

/** Goes on from an earlier event. */
async function rewind(session: OpenSessionState, to: number): Promise<RewindReceipt> {
  const state = await stateAt(session, to);
  const event = rewoundEvent(session.state, state, to);
  const leftEvents = session.writer.next - 1 - to;
  holdState(session, state);
  session.window.apply(event);
  recordEvent(session, event);
  const messages = session.window.view().length;
  return { to, sequence: session.sequence, leftEvents, isCold: event.isCold, messages };
}

function checkpoint(session: OpenSessionState, name: string): WindowCheckpoint {
  const at = session.place.store.clock();
  recordEvent(session, { type: 'checkpoint', name, at });
  const made = { name, sequence: session.sequence, at };
  session.checkpoints.delete(name);
  session.checkpoints.set(name, made);
  return made;
}

function checkpointNamed({ checkpoints, place }: OpenSessionState, name: string): WindowCheckpoint {
  const found = checkpoints.get(name);
  if (found !== undefined) return found;
  throw new CtxError('CTX_NOT_FOUND', `session ${place.sessionId} has no checkpoint ${name}`);
}

async function fork(session: OpenSessionState, sessionId: string, to?: number): Promise<void> {
  await session.writer.commit();
  await forkSession(session.place, { sessionId, to: to ?? session.sequence });
}

/** Makes the calls that go back. */
export function sessionCheckpoints(
  session: OpenSessionState,
  open: OpenSession,
): SessionCheckpoints {
  const { given, place } = session;
  return {
    rewind: (to) => inTurn(session, () => rewind(session, to)),
    checkpoint: (name) =>
      inTurn(session, () => {
        saySizes(session);
        return checkpoint(session, name);
      }),
    checkpoints: () => [...session.checkpoints.values()],
    restore: (name) =>
      inTurn(session, () => rewind(session, checkpointNamed(session, name).sequence)),
    fork: (sessionId, to) =>
      inTurn(session, async () => {
        await fork(session, sessionId, to);
        return open({ ...given, store: place.store, sessionId });
      }),
    viewAt: (sequence) =>
      inTurn(session, async () => {
        const state = await stateAt(session, sequence);
        return state.log.view();
      }),
  };
}
