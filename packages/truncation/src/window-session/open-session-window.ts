import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { windowOver } from '../window/window.ts';
import { foldEvents } from './log/fold-session.ts';
import { followLog } from './log/follow-log.ts';
import { createLogWriter } from './log/log-writer.ts';
import { eventsTo, readLog } from './log/read-log.ts';
import { holdState, inOneWrite, inTurn, type OpenSessionState } from './session.ts';
import { sessionCheckpoints } from './session-checkpoints.ts';
import { sessionSteps } from './session-steps.ts';
import type { SessionWindow, SessionWindowOptions } from './session-window.ts';
import { marksOf } from './view/read-history.ts';
import { windowOptions } from './window-options.ts';

async function openSession(
  store: ContextStore,
  given: SessionWindowOptions,
): Promise<OpenSessionState> {
  const place = { store, sessionId: given.sessionId };
  const options = windowOptions(store, given);
  const log = await readLog(store, given.sessionId);
  const events = [...eventsTo(log)];
  const state = await foldEvents(place, events, options);
  const session: OpenSessionState = {
    place,
    given,
    options,
    writer: createLogWriter(store, given.sessionId, log.next),
    checkpoints: new Map(log.checkpoints),
    opened: marksOf(events, -1),
    state,
    window: windowOver(state),
    outputs: new Map(),
    sequence: log.entries.at(-1)?.sequence ?? -1,
    hasSizes: false,
    holds: 0,
    last: Promise.resolve(),
  };
  holdState(session, state);
  return session;
}

function windowOf(session: OpenSessionState, close: () => Promise<void>): SessionWindow {
  const { place, opened, writer } = session;
  return {
    ...place,
    opened,
    ...sessionSteps(session),
    ...sessionCheckpoints(session, openSessionWindow),
    get next() {
      return writer.next;
    },
    view: () => session.window.view(),
    explain: () => session.window.explain(),
    inOneWrite: (work) => inOneWrite(session, work),
    follow: () => inTurn(session, () => followLog(session)),
    pointers: () => session.window.pointers(),
    planCompaction: (size) => session.window.planCompaction(size),
    compactionMoment: (summaryTokens) => session.window.compactionMoment(summaryTokens),
    close,
  };
}

/**
 * Opens the window of a session, where it left off or with an empty log.
 * Closing and opening again at any moment, on any store, gives the same bytes: every decision stands in the log. What
 * other programs wrote into the log is left alone.
 * Reads the log, and the results in view.
 * @throws `CTX_STORE_CORRUPT` where the log holds what is no event of a window.
 */
export async function openSessionWindow(options: SessionWindowOptions): Promise<SessionWindow> {
  const store = options.store ?? (await openStore(memoryBackend()));
  const session = await openSession(store, options);
  return windowOf(session, async () => {
    await session.last;
    try {
      await session.writer.commit();
    } finally {
      if (options.store === undefined) await store.close();
    }
  });
}
