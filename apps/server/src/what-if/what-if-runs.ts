import { randomUUID } from 'node:crypto';
import type { ContextStore } from '@ctx/store';
import { LRUCache } from 'lru-cache';
import { problem } from '../problems/problem.ts';
import { eventsOfSession } from './read-session.ts';
import { startReplay } from './start-replay.ts';
import type { WhatIfAsk, WhatIfResult, WhatIfStep } from './thread-messages.ts';

/** A replay in the background, or what came of it. */
export interface WhatIfRun {
  readonly id: string;
  readonly ask: WhatIfAsk;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: WhatIfStep;
  /** Once it is done. */
  readonly result?: WhatIfResult;
  /** Why it failed. */
  readonly detail?: string;
}

/** Which session, of which tenant. */
export interface WhatIfPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
}

/** Replays sessions in the background. This process alone knows its runs, and the newest of them. */
export interface WhatIfRuns {
  /**
   * Begins a run.
   * @throws 413 for a session that is too large, 429 while too many run.
   */
  start(place: WhatIfPlace, ask: WhatIfAsk): Promise<WhatIfRun>;
  find(place: WhatIfPlace, id: string): WhatIfRun | undefined;
  /** Stops a run; `undefined` where there is none. One that is over stays as it is. */
  cancel(place: WhatIfPlace, id: string): WhatIfRun | undefined;
  /** Stops all of them, and waits until they have. */
  close(): Promise<void>;
}

/** Most runs at once: each takes a processor, and the server needs one itself. */
const maxRunning = 2;
/** Most runs of a tenant at once, so that none keeps the others waiting. */
const maxOfTenant = 1;
/** Most runs that are kept: at most 100 KB each. */
const maxKept = 50;
/** Most events of a session: six times those of a session of 3,000 messages. */
const maxEvents = 20_000;

interface Held {
  run: WhatIfRun;
  readonly tenant: string;
  readonly stop: AbortController;
  ended: Promise<void>;
}

const keyOf = ({ store, sessionId }: WhatIfPlace, id: string): string =>
  JSON.stringify([store.tenant, sessionId, id]);

const countText = (count: number): string => count.toLocaleString('en');

/** How runs are replayed. */
export interface WhatIfOptions {
  /** `replay-thread.ts`, as plain node runs it. */
  readonly program: URL;
  /** Called with unexpected failures. */
  readonly onError: (error: unknown) => void;
}

async function play(
  { store, sessionId }: WhatIfPlace,
  held: Held,
  options: WhatIfOptions,
): Promise<void> {
  const { ask } = held.run;
  const { signal } = held.stop;
  const events = eventsOfSession(store, sessionId, signal);
  const found = await startReplay<WhatIfResult>({ sessionId, ask }, events, {
    ...options,
    signal,
    onProgress: (progress) => {
      if (!signal.aborted) held.run = { ...held.run, progress };
    },
  });
  if (signal.aborted) return;
  held.run =
    'failure' in found
      ? { ...held.run, state: 'failed', detail: found.failure }
      : { ...held.run, state: 'done', result: found };
}

/** @throws 413. */
async function checkSize({ store, sessionId }: WhatIfPlace): Promise<void> {
  const { events } = await store.events.tally(sessionId);
  if (events <= maxEvents) return;
  const detail = `The session has ${countText(events)} events; ${countText(maxEvents)} are replayed here at most. Export it and use \`ctx replay\`.`;
  throw problem(413, detail);
}

/** @throws 429. */
function checkRoom(held: ReadonlySet<Held>, tenant: string): void {
  // A run that was cancelled works no more, although its thread may still be ending.
  const running = [...held].filter(({ run }) => run.state === 'running');
  const ours = running.filter((one) => one.tenant === tenant).length;
  const retry = { 'retry-after': '5' };
  if (ours >= maxOfTenant) {
    throw problem(429, 'A replay is running. Cancel it, or wait until it is done.', retry);
  }
  if (running.length >= maxRunning) {
    throw problem(429, 'The server is replaying other sessions. Try again in a moment.', retry);
  }
}

/** Makes the keeper of the runs. */
export function createWhatIfRuns(options: WhatIfOptions): WhatIfRuns {
  const kept = new LRUCache<string, Held>({ max: maxKept });
  const running = new Set<Held>();
  const stop = (held: Held): void => {
    if (held.run.state !== 'running') return;
    held.run = { ...held.run, state: 'cancelled' };
    held.stop.abort();
  };
  return {
    start: async (place, ask) => {
      await checkSize(place);
      const { tenant } = place.store;
      checkRoom(running, tenant);
      const id = randomUUID();
      const run: WhatIfRun = { id, ask, state: 'running', progress: { step: 0, steps: 0 } };
      const held: Held = { run, tenant, stop: new AbortController(), ended: Promise.resolve() };
      running.add(held);
      kept.set(keyOf(place, id), held);
      held.ended = play(place, held, options).finally(() => running.delete(held));
      return held.run;
    },
    find: (place, id) => kept.get(keyOf(place, id))?.run,
    cancel: (place, id) => {
      const held = kept.get(keyOf(place, id));
      if (held !== undefined) stop(held);
      return held?.run;
    },
    close: async () => {
      const all = [...running];
      for (const held of all) stop(held);
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
