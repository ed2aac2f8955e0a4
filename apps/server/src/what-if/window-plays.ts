import { automaticCompaction } from '@ctx/agent-adapter';
import { CtxError } from '@ctx/core';
import { measureContext, playImported } from '@ctx/replay';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { importedEvents } from '@ctx/transcripts';
import { sessionLog, type WindowMode } from '@ctx/truncation';
import { problem } from '../problems/problem.ts';
import { startReplay } from './start-replay.ts';
import type { LogPiece, PlayedResult, ReplayEvent, WhatIfStep } from './thread-messages.ts';

/** The window that ctx would have kept of an imported session. */
export interface PlayedWindow {
  /** Holds its log under the session's id, in memory. */
  readonly store: ContextStore;
  /** Messages of the record that its agent's model no longer saw: they are not in the window. */
  readonly messagesAside: number;
  sent(): Promise<PlayedResult['sent']>;
}

/** A session that is played, or was. */
export interface WindowPlay {
  /** `undefined` where there is nothing to play. Rejects with why it failed. */
  readonly window: Promise<PlayedWindow | undefined>;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: WhatIfStep;
  /** Why it failed. */
  readonly detail?: string;
}

/** Which session is played, and how. */
export interface PlayPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly mode: WindowMode;
}

/** How sessions are played on a thread. */
export interface PlayOptions {
  /** `replay-thread.ts`, as plain node runs it. */
  readonly program: URL;
  /** Called with unexpected failures. */
  readonly onError: (error: unknown) => void;
}

/** Most sessions that are played at once: each takes a processor, and others wait. */
const maxPlaying = 2;
/** Sessions of up to so many events are played at once by the server: a thread takes longer to start. */
const maxEventsHere = 300;

/** Makes what lets so many works run at once; others wait for their turn. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Returns a function that makes a value when it is first asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function playHere({ store, sessionId, mode }: PlayPlace): Promise<PlayedWindow | undefined> {
  const played = await playImported(store, sessionId, { mode, compactWindow: automaticCompaction });
  if (played === undefined) return undefined;
  const log = sessionLog(played.store, sessionId);
  return { ...played, sent: once(() => log.sent()) };
}

interface Playing extends PlayOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (step: WhatIfStep) => void;
}

async function* readEvents(
  { store, sessionId }: PlayPlace,
  signal: AbortSignal,
): AsyncGenerator<ReplayEvent> {
  for await (const { event, counts, stored } of importedEvents(store, sessionId, { signal })) {
    yield { event, counts, results: stored.results };
  }
}

async function playOnThread(place: PlayPlace, playing: Playing): Promise<PlayedWindow | undefined> {
  const { store, sessionId, mode } = place;
  if ((await sessionLog(store, sessionId).requests()).length > 0) return undefined;
  const recorded = await measureContext(store, { sessionId });
  const task = { sessionId, window: { mode, windowTokens: recorded?.windowTokens } };
  const pieces: LogPiece[] = [];
  const events = readEvents(place, playing.signal);
  const found = await startReplay<PlayedResult>(task, events, {
    ...playing,
    onLog: (piece) => pieces.push(piece),
  });
  if ('failure' in found) throw problem(422, found.failure);
  const { messagesAside, sent } = found;
  const played = await openStore(memoryBackend(), { tokenCounter: store.countTokens });
  for (const piece of pieces) await played.events.append(sessionId, piece);
  return { store: played, messagesAside, sent: async () => sent };
}

/** A play, and who needs it. */
export interface HeldPlay extends WindowPlay {
  /** Stops it unless it is over, or a call waits for it. */
  readonly stop: () => void;
  /** Waits for it; then it is not stopped. */
  readonly wait: () => WindowPlay['window'];
}

/** Plays sessions, large ones on threads. */
export interface WindowPlays {
  start(place: PlayPlace): Promise<HeldPlay>;
  /** Stops all of them, and waits until they have. */
  close(): Promise<void>;
}

type Draft = { -readonly [Name in keyof WindowPlay]: WindowPlay[Name] };

/** A promise that rejects when the signal is aborted. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new CtxError('CTX_ABORTED', 'the replay was cancelled'));
    });
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The replay failed unexpectedly.';
}

/** Makes what plays sessions; without `options` all of them on this thread. */
export function createWindowPlays(options?: PlayOptions): WindowPlays {
  const inTurn = createTurns(maxPlaying);
  const running = new Map<Promise<unknown>, AbortController>();
  const startOn = (place: PlayPlace, threads: PlayOptions): HeldPlay => {
    const stopper = new AbortController();
    const { signal } = stopper;
    let isAwaited = false;
    const onProgress = (progress: WhatIfStep): void => void (play.progress = progress);
    const played = inTurn(() => {
      signal.throwIfAborted();
      return playOnThread(place, { ...threads, signal, onProgress });
    });
    // One that is stopped is over at once for those who ask next, although its thread may still be ending.
    const window = Promise.race([played, rejectionOf(signal)]);
    const play: Draft = { window, state: 'running', progress: { step: 0, steps: 0 } };
    window.then(
      () => void (play.state = 'done'),
      (error: unknown) => {
        play.state = signal.aborted ? 'cancelled' : 'failed';
        play.detail = textOf(error);
      },
    );
    const ended = played.catch(() => undefined).finally(() => running.delete(ended));
    running.set(ended, stopper);
    return Object.assign(play, {
      stop: () => {
        if (!isAwaited) stopper.abort();
      },
      wait: () => {
        isAwaited = true;
        return window;
      },
    });
  };
  return {
    start: async (place) => {
      const { events } = await place.store.events.tally(place.sessionId);
      if (options !== undefined && events > maxEventsHere) return startOn(place, options);
      const window = playHere(place);
      window.catch(() => undefined);
      const progress = { step: 0, steps: 0 };
      await window;
      return { window, state: 'done', progress, stop: () => undefined, wait: () => window };
    },
    close: async () => {
      for (const stopper of running.values()) stopper.abort();
      await Promise.all(running.keys());
    },
  };
}
