import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { automaticCompaction } from '@ctx/agent-adapter';
import { isCtxError } from '@ctx/core';
import { replayFiles, replayPolicies } from '@ctx/replay';
import { memoryBackend } from '@ctx/store/backend';
import { requestsOf } from '@ctx/transcripts';
import { cachePriceOf } from '@ctx/truncation';
import { playWindow } from './play-window.ts';
import { thinLine } from './thin-line.ts';
import type {
  ReplayEvent,
  ReplayNews,
  ReplayOrder,
  ReplayTask,
  WhatIfAsk,
  WhatIfResult,
  WhatIfStep,
} from './thread-messages.ts';

/** The program of the thread that replays a session: see `start-replay.ts`, which starts it. */

/** Least time between two messages about progress, ms. */
const everyMs = 100;

function readEvents(port: MessagePort): Promise<readonly ReplayEvent[]> {
  const events: ReplayEvent[] = [];
  return new Promise((resolve) => {
    port.on('message', (order: ReplayOrder) => {
      if ('event' in order) events.push(order);
      else resolve(events);
    });
  });
}

/** What is replayed, and how it is told. */
interface Replaying {
  readonly read: readonly ReplayEvent[];
  readonly onStep: (step: WhatIfStep) => void;
}

function tellProgress(tell: (news: ReplayNews) => void): (step: WhatIfStep) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < everyMs && progress.step < progress.steps) return;
    last = now;
    tell({ progress });
  };
}

/** Replays as `ctx replay` does: in memory, without redaction, since the store took out secrets before. */
async function replay(
  sessionId: string,
  ask: WhatIfAsk,
  { read, onStep }: Replaying,
): Promise<WhatIfResult | undefined> {
  const events = read.map(({ event }) => event);
  const costs = new Map<string, number[]>(ask.policies.map((name) => [name, []]));
  // The page compares the main conversation: its requests are what the page shows.
  const { lane: main } = requestsOf(events);
  const inMain = events.filter(({ lane }) => lane === main);
  const { sessions } = await replayFiles(
    [{ sessionId, file: sessionId, format: 'stored', events: inMain }],
    {
      openBackend: async () => memoryBackend(),
      policies: replayPolicies.filter(({ name }) => ask.policies.includes(name)),
      windowTokens: ask.windowTokens,
      price: cachePriceOf(ask.price),
      compactWindow: automaticCompaction,
      redact: 'off',
      createRedactor: () => undefined,
      times: {},
      withoutGaps: false,
      onProgress: () => undefined,
      onStep,
      onRequest: ({ policy, dollars }) => costs.get(policy)?.push(dollars),
      signal: new AbortController().signal,
    },
  );
  const [session] = sessions;
  if (session === undefined || session.requests === 0) return undefined;
  const lineOf = (policy: string) => thinLine(costs.get(policy) ?? []);
  const policies = session.policies.map((row) => ({ row, line: lineOf(row.policy) }));
  return { times: session.times, policies };
}

async function run(port: MessagePort, task: ReplayTask): Promise<void> {
  const tell = (news: ReplayNews): void => {
    parentPort?.postMessage(news);
  };
  try {
    const { sessionId } = task;
    const replaying = { read: await readEvents(port), onStep: tellProgress(tell) };
    const result =
      'ask' in task
        ? await replay(sessionId, task.ask, replaying)
        : await playWindow(sessionId, task.window, { ...replaying, tell });
    tell(
      result === undefined ? { failure: 'No request of the session has an answer.' } : { result },
    );
  } catch (error) {
    // Errors of ctx name sizes and ids; what else goes wrong may name files.
    if (isCtxError(error)) tell({ failure: error.message });
    else tell({ failure: 'The replay failed unexpectedly.', cause: error });
  }
}

if (!isMainThread && parentPort !== null) {
  // The one who starts the thread gives it this.
  void run(parentPort, workerData as ReplayTask);
}
