import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isCtxError, type TokenCounter } from '@ctx/core';
import type { CountMode } from '../import-mark.ts';
import { withFileSource } from '../import-source.ts';
import { withOwnFolder } from '../sources/claude-folder.ts';
import { type ReadMessage, type ReadOrder, type ReadTask, stateOf } from './read-messages.ts';
import { type ReadStart, type StepReader, startReading } from './read-steps.ts';

/** So many steps are made ready ahead of what is written. */
const maxAhead = 4;

/** Bytes between two messages that say how far it is. */
const progressBytes = 4_000_000;

/** Makes the counter of a thread. */
export type CounterFor = (count: CountMode) => Promise<TokenCounter>;

/** Reads a transcript for the thread that started this one. The program that `ReadThread` names calls it; elsewhere it does nothing. */
export async function serveReading(counterFor: CounterFor): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const tell = (message: ReadMessage): void => {
    port.postMessage(message);
  };
  try {
    // What `withReaderThread` hands over.
    await read(port, { task: workerData as ReadTask, counterFor }, tell);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell({ type: 'failed', code: isCtxError(error) ? error.code : 'CTX_STORE_IO', message });
  } finally {
    port.close();
  }
}

async function read(
  port: MessagePort,
  { task, counterFor }: { readonly task: ReadTask; readonly counterFor: CounterFor },
  tell: (message: ReadMessage) => void,
): Promise<void> {
  const { path, format, redact, count } = task;
  const orders = startOrders(port);
  const countTokens = await counterFor(count);
  let told = 0;
  const onBytes = (bytes: number, sizeBytes: number): void => {
    if (bytes - told < progressBytes) return;
    told = bytes;
    tell({ type: 'progress', bytes, sizeBytes });
  };
  const options = { onBytes, ...(format === undefined ? {} : { format }) };
  await withFileSource(path, options, async (file) => {
    const source = await withOwnFolder(file);
    // Who stops the import ends the thread.
    const { signal } = new AbortController();
    const reader = await startReading(source, { redact, countTokens, signal });
    const { format: found, modifiedAt, beside } = source;
    const facts = {
      format: found,
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
      ...(beside === undefined ? {} : { beside }),
    };
    tell({ type: 'opened', facts, ...stateOf(source, reader.traits()) });
    reader.begin(await orders.begun);
    await giveSteps(reader, orders.room, tell);
  });
}

/** Gives all steps, never too many ahead of those that were taken. */
async function giveSteps(
  reader: StepReader,
  room: () => Promise<void>,
  tell: (message: ReadMessage) => void,
): Promise<void> {
  for (;;) {
    await room();
    const step = await reader.next();
    const hasEnded = step.pause !== undefined;
    tell({ type: 'step', step, ...(hasEnded ? stateOf(reader.source, reader.traits()) : {}) });
    if (hasEnded) return;
  }
}

interface Orders {
  /** Where to begin, once that is known. */
  readonly begun: Promise<ReadStart>;
  /** Resolves once another step may be given. */
  readonly room: () => Promise<void>;
}

function startOrders(port: MessagePort): Orders {
  let begin: (start: ReadStart) => void = () => undefined;
  let wake: () => void = () => undefined;
  let ahead = 0;
  const begun = new Promise<ReadStart>((resolve) => {
    begin = resolve;
  });
  port.on('message', (order: ReadOrder) => {
    if (order.type === 'begin') begin(order);
    else {
      ahead -= 1;
      wake();
    }
  });
  return {
    begun,
    room: async () => {
      while (ahead >= maxAhead) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      ahead += 1;
    },
  };
}
