import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Listening } from '../server/child-server.ts';

/** What the readers of a run got. */
export interface Reading {
  /** Sequence number of the last event of each reader. */
  readonly last: number[];
  /** Events that did not come right behind the one before. */
  wrong: number;
  reconnects: number;
}

/** How the readers work. */
export interface LiveLoad {
  readonly server: Listening;
  readonly readers: number;
  /** How long a reader keeps a connection, ms. */
  readonly keepMs: number;
  readonly signal: AbortSignal;
}

function sequenceOf(text: string): number | undefined {
  const message: unknown = JSON.parse(text);
  if (typeof message !== 'object' || message === null || !('event' in message)) return undefined;
  const { event } = message;
  return typeof event === 'object' && event !== null && 'sequence' in event
    ? Number(event.sequence)
    : undefined;
}

function hello({ key }: Listening, since: number | undefined): string {
  return JSON.stringify(since === undefined ? { key } : { key, since });
}

function open({ url }: Listening): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}/v1/live`);
}

/** Sequence number of the newest event. */
export function newestEvent(server: Listening): Promise<number> {
  const socket = open(server);
  socket.on('open', () => {
    socket.send(hello(server, undefined));
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.once('message', (bytes: Buffer) => {
      const ready: unknown = JSON.parse(bytes.toString('utf8'));
      const isReady = typeof ready === 'object' && ready !== null && 'sequence' in ready;
      socket.terminate();
      resolve(isReady ? Number(ready.sequence) : 0);
    });
  });
}

/** Reads over one connection for its time or until the run ends, then breaks it off wherever it is. */
async function readOnce(load: LiveLoad, reading: Reading, reader: number): Promise<void> {
  const socket = open(load.server);
  socket.on('open', () => {
    socket.send(hello(load.server, reading.last[reader]));
  });
  socket.on('error', () => undefined);
  socket.on('message', (bytes: Buffer) => {
    const sequence = sequenceOf(bytes.toString('utf8'));
    if (sequence === undefined) return;
    if (sequence !== (reading.last[reader] ?? 0) + 1) reading.wrong += 1;
    reading.last[reader] = sequence;
  });
  const leave = (): void => {
    socket.terminate();
  };
  const timer = setTimeout(leave, load.keepMs);
  load.signal.addEventListener('abort', leave);
  await new Promise((resolve) => socket.on('close', resolve));
  clearTimeout(timer);
  load.signal.removeEventListener('abort', leave);
}

async function read(load: LiveLoad, reading: Reading, reader: number): Promise<void> {
  // Not all of them at once.
  await sleep((load.keepMs * reader) / load.readers / 2);
  while (!load.signal.aborted) {
    await readOnce(load, reading, reader);
    reading.reconnects += 1;
  }
}

/** Lets readers read until the signal is aborted; each begins with the first event. */
export async function readAll(load: LiveLoad, reading: Reading): Promise<void> {
  const readers = Array.from({ length: load.readers }, (_, reader) => {
    reading.last[reader] = 0;
    return read(load, reading, reader);
  });
  await Promise.all(readers);
}
