import { WebSocket } from 'ws';

/** Reads the live events of a tenant over WebSockets, from one server after the other. */
export interface LiveReader {
  /** Sequence numbers, as they came. */
  readonly sequences: readonly number[];
  /** Codes with which connections ended that were not cut off from here. */
  readonly codes: readonly number[];
  /** Resolves when the number has come. */
  readonly until: (sequence: number) => Promise<void>;
  /** Resolves when a connection has ended with the code. */
  readonly untilCode: (code: number) => Promise<void>;
  readonly close: () => void;
}

interface Message {
  readonly kind: string;
  readonly event?: { readonly sequence: number };
}

export interface LiveReaderOptions {
  readonly key: string;
  /** Port of the server to go to next. */
  readonly next: () => Promise<number>;
  /** After so many events it leaves its server for another. */
  readonly moveAfter: number;
}

/** That of the event in a message; `undefined` in other messages. */
function sequenceIn(bytes: Buffer): number | undefined {
  const { event } = JSON.parse(bytes.toString('utf8')) as Message;
  return event?.sequence;
}

/** Lets others wait until something is so. */
function createWaits() {
  const waiting = new Set<() => void>();
  return {
    look: (): void => {
      for (const one of waiting) one();
    },
    until: (isSo: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isSo()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Goes on behind the last event that it has, wherever it is let in. */
export function startLiveReader({ key, next, moveAfter }: LiveReaderOptions): LiveReader {
  const sequences: number[] = [];
  const codes: number[] = [];
  const waits = createWaits();
  let socket: WebSocket | undefined;
  let isClosed = false;
  const visit = async (): Promise<void> => {
    const mine = new WebSocket(`ws://127.0.0.1:${String(await next())}/v1/live`);
    socket = mine;
    let taken = 0;
    mine.on('open', () => {
      mine.send(JSON.stringify({ key, since: sequences.at(-1) ?? 0 }));
    });
    mine.on('message', (bytes: Buffer) => {
      const sequence = sequenceIn(bytes);
      // What is under way as a connection is left comes again.
      if (mine !== socket || sequence === undefined) return;
      sequences.push(sequence);
      taken += 1;
      waits.look();
      if (taken < moveAfter) return;
      socket = undefined;
      mine.terminate();
    });
    mine.on('error', () => undefined);
    mine.on('close', (code) => {
      if (mine === socket) codes.push(code);
      waits.look();
      if (!isClosed) void visit();
    });
  };
  void visit();
  return {
    sequences,
    codes,
    until: (sequence) => waits.until(() => (sequences.at(-1) ?? 0) >= sequence),
    untilCode: (code) => waits.until(() => codes.includes(code)),
    close: () => {
      isClosed = true;
      socket?.terminate();
    },
  };
}
