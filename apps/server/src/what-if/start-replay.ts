import { setImmediate as loopTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type {
  LogPiece,
  PlayedResult,
  ReplayEvent,
  ReplayNews,
  ReplayOrder,
  ReplayTask,
  WhatIfResult,
  WhatIfStep,
} from './thread-messages.ts';

/** The heap of the thread, MB: what needs more ends the thread, not the server. */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 32 };

/** Most characters of a session, as JSON: what fits into the heap of the thread several times over. */
const maxCharacters = 64 * 1024 * 1024;
/** Longest time of a replay, ms: one that takes longer is better run by `ctx replay`, where it holds up no other request. */
const maxMs = 10 * 60_000;
/** Events after which others are served. */
const eventsATurn = 20;

/** Why a replay came to nothing, for people. */
class ReplayFailure extends Error {}

/** How a replay is watched and stopped. */
export interface ReplayWatch {
  readonly program: URL;
  readonly signal: AbortSignal;
  readonly onProgress: (step: WhatIfStep) => void;
  /** Called with the log of a window, piece by piece. */
  readonly onLog?: (piece: LogPiece) => void;
  /** Called with unexpected failures. */
  readonly onError: (error: unknown) => void;
}

async function sendEvents(
  send: (order: ReplayOrder) => void,
  events: AsyncIterable<ReplayEvent>,
  signal: AbortSignal,
): Promise<void> {
  let count = 0;
  let characters = 0;
  for await (const order of events) {
    if (signal.aborted) return;
    characters += JSON.stringify(order.event).length;
    if (characters > maxCharacters) {
      throw new ReplayFailure(
        'The session holds more than 64 MiB of text. Export it and use `ctx replay`.',
      );
    }
    send(order);
    count += 1;
    if (count % eventsATurn === 0) await loopTurn();
  }
  send({ isAll: true });
}

function failureOf(error: unknown, { signal, onError }: ReplayWatch): string {
  if (error instanceof ReplayFailure) return error.message;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return 'The replay needs more than 1 GiB of memory. Try fewer policies, or use `ctx replay`.';
  }
  if (!signal.aborted) onError(error);
  return 'The replay failed unexpectedly.';
}

/** What the thread found. Rejects with why it found nothing. */
function resultOf<Found>(worker: Worker, { onProgress, onLog }: ReplayWatch): Promise<Found> {
  return new Promise((resolve, reject) => {
    worker.on('message', (news: ReplayNews<Found>) => {
      if ('progress' in news) onProgress(news.progress);
      else if ('log' in news) onLog?.(news.log);
      else if ('result' in news) resolve(news.result);
      else reject(news.cause instanceof Error ? news.cause : new ReplayFailure(news.failure));
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      const minutes = String(maxMs / 60_000);
      const detail = `The replay took longer than ${minutes} minutes. Try fewer policies, or use \`ctx replay\`.`;
      // Who cancelled it asks no more.
      reject(new ReplayFailure(detail));
    });
  });
}

/**
 * Replays the events of a session on a thread of its own, which ends with it, is stopped by `signal` at once, and holds nothing of the
 * store. Returns what was found, or why nothing was.
 */
export async function startReplay<Found extends WhatIfResult | PlayedResult>(
  task: ReplayTask,
  events: AsyncIterable<ReplayEvent>,
  watch: ReplayWatch,
): Promise<Found | { readonly failure: string }> {
  const { program, signal } = watch;
  const worker = new Worker(program, { workerData: task, resourceLimits });
  const stop = (): void => void worker.terminate();
  const timer = setTimeout(stop, maxMs);
  signal.addEventListener('abort', stop, { once: true });
  const result = resultOf<Found>(worker, watch);
  const send = (order: ReplayOrder): void => {
    worker.postMessage(order);
  };
  const sending = sendEvents(send, events, signal);
  try {
    const [found] = await Promise.all([result, sending]);
    return found;
  } catch (error) {
    return { failure: failureOf(error, watch) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
    // A read that is under way ends before its store is closed.
    await sending.catch(() => undefined);
  }
}
