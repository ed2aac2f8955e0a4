import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isCtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import { sqliteBackend } from '../sqlite-backend.ts';
import type { ThreadAnswer, ThreadFailure, ThreadOrder, ThreadTask } from './thread-messages.ts';

/** The program of a thread that writes to a store: see `start-write-thread.ts`, which starts it. */
if (parentPort !== null) await writeFor(parentPort, workerData as ThreadTask);

async function writeFor(port: MessagePort, task: ThreadTask): Promise<void> {
  const { options, collections } = task;
  const backend = sqliteBackend(options);
  await backend.open(collections);
  const tell = (answer: ThreadAnswer): void => {
    port.postMessage(answer);
  };
  port.on('message', (order: ThreadOrder) => {
    const { id } = order;
    const done = doCall(backend, order).then(
      (value) => {
        tell(value === undefined ? { id } : { id, value });
      },
      (error: unknown) => {
        tell({ id, failure: failureOf(error) });
      },
    );
    if (order.call === 'close') {
      void done.finally(() => {
        port.close();
      });
    }
  });
  tell({ id: 0 });
}

function doCall(backend: StoreBackend, order: ThreadOrder): Promise<unknown> {
  switch (order.call) {
    case 'write':
      return backend.write(order.operations, order.options);
    case 'search':
      return backend.search(order.query);
    case 'close':
      return backend.close();
  }
}

function failureOf(error: unknown): ThreadFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!isCtxError(error)) return { code: 'CTX_STORE_IO', message, cause: message };
  const { code, cause } = error;
  return { code, message, cause: cause instanceof Error ? cause.message : '' };
}
