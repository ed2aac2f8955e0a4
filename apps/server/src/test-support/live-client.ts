import { WebSocket } from 'ws';
import { at } from './start-server.ts';

/** What a live connection got, and how it ended. */
export interface LiveClient {
  readonly socket: WebSocket;
  readonly messages: unknown[];
  /** Sequence numbers of the events, in the order they came. */
  readonly sequences: () => number[];
  readonly until: (isDone: () => boolean) => Promise<void>;
  readonly ended: Promise<{ readonly code: number }>;
}

export interface LiveOptions {
  readonly port: number;
  readonly origin?: string;
  readonly query?: string;
}

/** Connects to the live events of a server and says hello, unless that is `undefined`. */
export function openLive(hello: unknown, { port, origin, query = '' }: LiveOptions): LiveClient {
  const url = `ws://127.0.0.1:${String(port)}/v1/live${query}`;
  const socket = new WebSocket(url, origin === undefined ? {} : { origin });
  const messages: unknown[] = [];
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on('open', () => {
    if (hello !== undefined) socket.send(JSON.stringify(hello));
  });
  socket.on('message', (bytes: Buffer) => {
    messages.push(JSON.parse(bytes.toString('utf8')));
    tell();
  });
  socket.on('error', () => undefined);
  const ended = new Promise<{ readonly code: number }>((resolve) => {
    socket.on('close', (code) => {
      resolve({ code });
      tell();
    });
  });
  return {
    socket,
    messages,
    ended,
    sequences: () =>
      messages.flatMap((one) =>
        at(one, 'kind') === 'event' ? [Number(at(one, 'event.sequence'))] : [],
      ),
    until: (isDone) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (!isDone()) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}
