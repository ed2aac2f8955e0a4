import { type Window, type WindowOptions, windowOver } from '../window/window.ts';
import type { WindowEvent } from '../window/window-event.ts';
import type { WindowState } from '../window/window-state.ts';
import type { LogWriter } from './log/log-writer.ts';
import type { WindowCheckpoint } from './log/read-log.ts';
import type { SessionPlace } from './log/session-place.ts';
import { storedEvent } from './log/stored-event.ts';
import type { SessionWindowOptions } from './session-window.ts';
import type { HistoryMark } from './view/read-history.ts';

/** Everything that the window of a session holds. */
export interface OpenSessionState {
  readonly place: SessionPlace;
  readonly given: SessionWindowOptions;
  readonly options: WindowOptions;
  readonly writer: LogWriter;
  readonly checkpoints: Map<string, WindowCheckpoint>;
  /** The messages that the log held when it was opened. */
  readonly opened: readonly HistoryMark[];
  state: WindowState;
  window: Window;
  /** Where the results of the message that is being taken are kept, by their place in it. */
  outputs: ReadonlyMap<number, string>;
  /** The newest event of the window. */
  sequence: number;
  /** Whether the log says what sizes the window has. */
  hasSizes: boolean;
  /** How many works keep what they add back, to write it together. */
  holds: number;
  /** What is being done. */
  last: Promise<unknown>;
}

/** Puts an event of the window into the log. */
export function recordEvent(session: OpenSessionState, event: WindowEvent): void {
  const outputs = event.type === 'received' ? session.outputs : new Map<number, string>();
  session.sequence = session.writer.add(storedEvent(event, outputs));
  session.given.onEvent?.(event, session.sequence);
}

/** Makes a state the one that goes on. */
export function holdState(session: OpenSessionState, state: WindowState): void {
  session.state = state;
  session.window = windowOver(state, (event) => {
    recordEvent(session, event);
  });
}

/**
 * Does one work after the other.
 * What it wrote is in the store when this resolves, also where the work failed; after an error of the store nothing
 * takes effect any more.
 */
export async function inTurn<Result>(
  session: OpenSessionState,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const turn = session.last.then(() => {
    session.writer.check();
    return work();
  });
  session.last = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    if (session.holds === 0) await session.writer.commit();
  }
}

/** Puts what a work adds to the log into one write, also where it fails. */
export async function inOneWrite<Result>(
  session: OpenSessionState,
  work: () => Promise<Result>,
): Promise<Result> {
  session.holds += 1;
  try {
    return await work();
  } finally {
    session.holds -= 1;
    await session.writer.commit();
  }
}

/** Says in the log what sizes the window has, where it does not yet, or where others were given. */
export function saySizes(session: OpenSessionState): void {
  if (session.hasSizes) return;
  session.hasSizes = true;
  const { state, given } = session;
  const { windowTokens = state.toldWindowTokens, fixedTokens = state.fixedTokens } = given;
  const isNew =
    session.sequence < 0 ||
    windowTokens !== state.toldWindowTokens ||
    fixedTokens !== state.fixedTokens;
  if (isNew) session.window.resize({ windowTokens, fixedTokens });
}
