import { isCtxError } from '@ctx/core';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { ServerContext } from '../app.ts';
import { type Caller, callerOfKey, localCaller } from '../http/caller.ts';
import { type EndConnection, endCodes } from './live-connections.ts';
import { choiceMembers, filterOf, type LiveQuery } from './live-query.ts';
import { type LiveMessage, pumpEvents } from './pump-events.ts';

/** What is used of a WebSocket. */
export interface LiveSocket {
  once(event: 'message', listener: (bytes: Buffer, isBinary: boolean) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
  send(text: string, done: (error?: Error | null) => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

/** The first message of a client. */
const helloSchema = z.strictObject({
  key: z.string().max(200).exactOptional(),
  since: z.int().min(0).exactOptional(),
  ...choiceMembers,
});

type Hello = z.infer<typeof helloSchema>;

const pingEveryMs = 30_000;

function helloOf(text: string): Hello | undefined {
  try {
    return helloSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What both ask for together. */
function askedOf(query: LiveQuery, { key: _key, ...hello }: Hello): LiveQuery {
  const { type: _type, types: _types, ...others } = query;
  const namesTypes = hello.type !== undefined || hello.types !== undefined;
  return { ...(namesTypes ? others : query), ...hello };
}

/** Waits for the first message, not for long. */
function firstMessage(socket: LiveSocket, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(undefined);
    }, timeoutMs);
    const done = (text: string | undefined): void => {
      clearTimeout(timer);
      resolve(text);
    };
    socket.once('message', (bytes: Buffer, isBinary: boolean) => {
      done(isBinary ? '' : bytes.toString('utf8'));
    });
    socket.once('close', () => {
      done(undefined);
    });
  });
}

/** Hands one message to the socket; one that takes nothing for too long, or not at all, is ended. */
function sender(socket: LiveSocket, end: EndConnection, stallMs: number) {
  return (message: LiveMessage): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        end(endCodes.tooSlow, 'events were not taken in time');
        resolve();
      }, stallMs);
      socket.send(JSON.stringify(message), (error) => {
        clearTimeout(timer);
        if (error) end(endCodes.tooSlow, 'events were not taken');
        resolve();
      });
    });
}

/** A socket from its first moment on. `gone` is aborted once it is closed, whenever that is. */
interface Visit {
  readonly socket: LiveSocket;
  readonly gone: AbortController;
}

async function read(
  context: ServerContext,
  { socket, gone }: Visit,
  [caller, asked]: readonly [Caller, LiveQuery],
): Promise<void> {
  const { hub, connections, limits } = context;
  // It may have left while its key was looked at.
  if (gone.signal.aborted) return;
  const end: EndConnection = (code, reason) => {
    gone.abort();
    socket.close(code, reason);
    // Who takes nothing does not take a farewell either.
    setTimeout(() => {
      socket.terminate();
    }, 1000).unref();
  };
  const forget = connections.add(caller.keyId, end);
  const ping = setInterval(() => {
    socket.ping();
  }, pingEveryMs);
  const { since } = asked;
  try {
    await pumpEvents(hub, {
      tenant: caller.tenant,
      filter: filterOf(asked),
      ...(since === undefined ? {} : { since }),
      signal: gone.signal,
      send: sender(socket, end, limits.liveStallMs),
    });
  } finally {
    clearInterval(ping);
    forget();
  }
}

/** How a WebSocket is served. */
export interface SocketOptions {
  readonly access: 'keys' | 'none';
  /** What its address asks for; of what the first message names as well, that holds. */
  readonly query?: LiveQuery;
  /** Told why a connection ended that should not have. */
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
}

/** Failures of a store that may be over when the client comes again. */
const passing: ReadonlySet<string> = new Set([
  'CTX_STORE_BUSY',
  'CTX_STORE_IO',
  'CTX_STORE_UNREACHABLE',
]);

/** Ends a connection whose events cannot be read: with the code for coming again where the store is only away or too busy. */
function endFailed(socket: LiveSocket, error: unknown, log: SocketOptions['log']): void {
  if (isCtxError(error, 'CTX_STORE_CLOSED')) {
    // It came while the server was stopping.
    socket.close(endCodes.goingAway, 'the server is going');
    return;
  }
  if (isCtxError(error) && passing.has(error.code)) {
    log.warn({ err: error }, 'the store cannot be read now: a live connection is put off');
    socket.close(endCodes.comeAgain, 'the events cannot be read now');
    return;
  }
  log.error({ err: error }, 'the events of a live connection cannot be read');
  socket.close(endCodes.failed, 'the events cannot be read');
}

/**
 * Serves one WebSocket: the key comes as first message, and nothing goes out before.
 * Never rejects; ends the socket with a code of {@link endCodes}.
 */
export async function serveSocket(
  context: ServerContext,
  socket: LiveSocket,
  { access, log, query = {} }: SocketOptions,
): Promise<void> {
  const gone = new AbortController();
  socket.on('error', () => {
    socket.terminate();
  });
  socket.on('close', () => {
    gone.abort();
  });
  const text = await firstMessage(socket, context.limits.liveTokenMs);
  if (text === undefined) {
    // On a busy machine a good key may come late: the client tries again.
    socket.close(endCodes.tooSlow, 'no key came in time');
    return;
  }
  const hello = helloOf(text);
  if (hello === undefined) {
    socket.close(endCodes.notUnderstood, 'the first message is not understood');
    return;
  }
  try {
    const caller = access === 'none' ? localCaller : await callerOfKey(context.stores, hello.key);
    if (caller === undefined) socket.close(endCodes.noKey, 'the key is not good');
    else await read(context, { socket, gone }, [caller, askedOf(query, hello)]);
  } catch (error) {
    endFailed(socket, error, log);
  }
}
