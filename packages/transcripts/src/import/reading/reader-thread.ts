import { Worker } from 'node:worker_threads';
import { CtxError } from '@ctx/core';
import { compareFile } from '../files/open-file.ts';
import type { ReadMessage, ReadOrder, ReadState, ReadTask } from './read-messages.ts';
import type { ReadStep, StepReader } from './read-steps.ts';

/**
 * What the thread's own heap is bound to. With Node's own bounds both threads together hold 370 MB, most of it garbage that waits; a
 * bound on the whole makes the thread collect sooner. A record of 64 MiB, the longest that is parsed, has room. Source: measured.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1_024 };

/** What the thread told, in order, each waited for. */
interface Told {
  readonly next: () => Promise<ReadMessage>;
}

function listenTo(worker: Worker, path: string): Told {
  const messages: ReadMessage[] = [];
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  const fail = (cause: unknown): void => {
    failure ??= new CtxError('CTX_STORE_IO', `${path} could not be read`, { cause });
    wake();
  };
  worker.on('message', (message: ReadMessage) => {
    messages.push(message);
    wake();
  });
  worker.on('error', fail);
  worker.on('exit', (code) => {
    fail(new Error(`the thread that read it ended with ${String(code)}`));
  });
  return {
    next: async () => {
      for (;;) {
        const message = messages.shift();
        if (message !== undefined) return message;
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** How a thread is told what to do, and who sees how far it is. */
export interface ThreadOptions {
  readonly program: URL;
  readonly task: ReadTask;
  readonly onBytes?: ((bytes: number, sizeBytes: number) => void) | undefined;
}

/**
 * Reads a file on a thread of its own, lends the reading to `work` and ends the thread whatever happens: reading and writing share two
 * processors. Gives what the same reading gives on this thread. Memory: about four steps more, and the thread's own.
 * @throws as the reading does, and what `work` throws.
 */
export async function withReaderThread<T>(
  { task, program, onBytes }: ThreadOptions,
  work: (reader: StepReader) => Promise<T>,
): Promise<T> {
  const worker = new Worker(program, { workerData: task, resourceLimits });
  try {
    return await work(await readerOf(worker, { task, onBytes }));
  } finally {
    await worker.terminate();
  }
}

async function readerOf(
  worker: Worker,
  { task, onBytes }: Omit<ThreadOptions, 'program'>,
): Promise<StepReader> {
  const { path } = task;
  const told = listenTo(worker, path);
  const order = (message: ReadOrder): void => {
    worker.postMessage(message);
  };
  /** The next message that is none of progress. */
  const heard = async (): Promise<
    Exclude<ReadMessage, { readonly type: 'progress' | 'failed' }>
  > => {
    for (;;) {
      const message = await told.next();
      if (message.type === 'failed') throw new CtxError(message.code, message.message);
      if (message.type !== 'progress') return message;
      onBytes?.(message.bytes, message.sizeBytes);
    }
  };
  const opened = await heard();
  if (opened.type !== 'opened') throw new TypeError('a thread opens its file first');
  let { traits, position, receipt }: ReadState = opened;
  const take = async (): Promise<ReadStep> => {
    const message = await heard();
    if (message.type !== 'step') throw new TypeError('a thread opens its file once');
    ({ traits = traits, position = position, receipt = receipt } = message);
    order({ type: 'taken' });
    return message.step;
  };
  return {
    source: {
      path,
      ...opened.facts,
      receipt: () => receipt,
      position: () => ({ ...position, sha256: () => position.sha256 }),
      compare: (known) => compareFile(path, known),
    },
    traits: () => traits,
    begin: (start) => {
      order({ type: 'begin', ...start });
    },
    next: take,
  };
}
