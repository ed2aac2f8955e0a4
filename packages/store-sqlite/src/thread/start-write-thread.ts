import { Worker } from 'node:worker_threads';
import { CtxError } from '@ctx/core';
import type { ThreadAnswer, ThreadCall, ThreadFailure, ThreadTask } from './thread-messages.ts';

/** A thread that writes to a store, with a connection of its own. */
export interface WriteThread {
  /** Whether it runs: one that has died takes no calls. */
  readonly isRunning: () => boolean;
  /**
   * Has a call done after those before. It keeps the process alive until it is answered.
   * @throws what the store throws; `CTX_STORE_IO` where the thread dies meanwhile, `CTX_STORE_CLOSED` after `end`, `CTX_INVALID_INPUT` for
   * what is no plain data.
   */
  readonly ask: (call: ThreadCall) => Promise<unknown>;
  /** Closes the store of the thread after the calls before, and waits until the thread is gone. Safe to call twice. */
  readonly end: () => Promise<void>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of a thread that are not answered. */
interface Calls {
  readonly add: (call: ThreadCall, one: Waiting) => void;
  readonly answer: (answer: ThreadAnswer) => void;
  readonly failAll: (error: unknown) => void;
}

function errorOf({ code, message, cause }: ThreadFailure): CtxError {
  return new CtxError(code, message, cause === '' ? {} : { cause: new Error(cause) });
}

function callsOf(worker: Worker): Calls {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const take = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    // Who does not close a store is not kept from ending by its thread, but by what is under way.
    if (waiting.size === 0) worker.unref();
    return one;
  };
  return {
    add: (call, one) => {
      last += 1;
      try {
        worker.postMessage({ id: last, ...call });
      } catch (cause) {
        one.reject(new CtxError('CTX_INVALID_INPUT', 'a write must be plain data', { cause }));
        return;
      }
      if (waiting.size === 0) worker.ref();
      waiting.set(last, one);
    },
    answer: ({ id, value, failure }) => {
      const one = take(id);
      if (failure === undefined) one?.resolve(value);
      else one?.reject(errorOf(failure));
    },
    failAll: (error) => {
      for (const id of [...waiting.keys()]) take(id)?.reject(error);
    },
  };
}

/** Resolves once the thread has opened its store. Rejects where it cannot. */
function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', () => {
      resolve();
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('the thread has ended'));
    });
  });
}

/** Starts `program`, `write-thread.ts`, which opens the store that `task` names. Rejects where that does not work. */
export async function startWriteThread(program: URL, task: ThreadTask): Promise<WriteThread> {
  const worker = new Worker(program, { workerData: task });
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  await opened(worker);
  const calls = callsOf(worker);
  let isRunning = true;
  let ending: Promise<void> | undefined;
  const die = (cause?: unknown): void => {
    isRunning = false;
    const message = `the thread that writes to ${task.options.path} has died`;
    calls.failAll(new CtxError('CTX_STORE_IO', message, { cause }));
  };
  worker.on('message', calls.answer);
  worker.on('error', die);
  worker.on('exit', () => {
    die();
  });
  worker.unref();
  const ask: WriteThread['ask'] = (call) =>
    new Promise((resolve, reject) => {
      calls.add(call, { resolve, reject });
    });
  const endOnce = async (): Promise<void> => {
    try {
      if (isRunning) await ask({ call: 'close' });
    } finally {
      // Who waits for the end is not to end before.
      worker.ref();
      await gone;
    }
  };
  return {
    isRunning: () => isRunning,
    ask: (call) => {
      if (ending === undefined) return ask(call);
      const { path } = task.options;
      return Promise.reject(new CtxError('CTX_STORE_CLOSED', `the store ${path} is closed`));
    },
    end: () => (ending ??= endOnce()),
  };
}
