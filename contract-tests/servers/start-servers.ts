import { setTimeout as pause } from 'node:timers/promises';
import { openTenants } from '@ctx/server/records';
import { postgresBackend } from '@ctx/store-postgres';
import { bundleProgram, startProgram } from '../child-program.ts';

/** A line of a server's log about a work that several share. */
export interface LoggedWork {
  readonly records: number;
  readonly batches: number;
  readonly isEnded: boolean;
}

/** One of several server processes. */
export interface ServerProcess {
  readonly port: number;
  /** What it did of works that are shared, as it has logged it so far. */
  readonly works: () => readonly LoggedWork[];
  /** Tells it to stop, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Ends it as a crash does. */
  readonly kill: () => Promise<void>;
}

/** How one server differs from the usual. */
export interface ServerWish {
  /** Default `this`. */
  readonly version?: 'this' | 'newer';
  /** Default: as many as come. */
  readonly requestsPerMinute?: number;
  /** How often it looks for works that are shared, ms. Default 10,000. */
  readonly worksEveryMs?: number;
  /** Where requests of agents go. Default: it serves no proxy. */
  readonly upstream?: string;
}

function workIn(line: string): LoggedWork[] {
  const { work } = JSON.parse(line) as { work?: LoggedWork };
  return work === undefined ? [] : [work];
}

let bundled: Promise<string> | undefined;

const running = new Set<ServerProcess>();

/** Ends every server that was started here. */
export async function endServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop()));
}

/** Starts one more server over a schema. */
export async function startServerProcess(
  url: string,
  schema: string,
  wish: ServerWish = {},
): Promise<ServerProcess> {
  const { version = 'this', requestsPerMinute = Number.MAX_SAFE_INTEGER } = wish;
  const { worksEveryMs = 10_000, upstream = '' } = wish;
  bundled ??= bundleProgram(new URL('server-child.ts', import.meta.url));
  const path = await bundled;
  return new Promise((resolve, reject) => {
    const program = startProgram(
      path,
      [url, schema, version, String(requestsPerMinute), String(worksEveryMs), upstream],
      (line) => {
        if (program.lines.length > 1) return;
        const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
          running.delete(server);
          program.process.kill(signal);
          await program.ended;
        };
        const server: ServerProcess = {
          port: Number(line),
          works: () => program.lines.slice(1).flatMap(workIn),
          stop: () => end('SIGTERM'),
          kill: () => end('SIGKILL'),
        };
        running.add(server);
        resolve(server);
      },
    );
    program.ended.then(
      () => {
        reject(new Error('the server ended before it listened'));
      },
      () => undefined,
    );
  });
}

/** The stores of a schema, opened by the test itself. */
export function openSchema(url: string, schema: string): ReturnType<typeof openTenants> {
  return openTenants(postgresBackend({ url, schema, maxConnections: 2 }));
}

/** What a balancer knows of a server. */
interface Target {
  readonly port: number;
  isReady: boolean;
}

/** A load balancer as small as can be: hands out the servers that say they are ready, one after the other. */
export interface Balancer {
  /** Port of the next server that is ready. Waits while none is. */
  readonly next: () => Promise<number>;
  readonly add: (port: number) => void;
  readonly close: () => Promise<void>;
}

const lookEveryMs = 100;

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/readyz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Follows `/readyz` of each server, as balancers do. */
export function startBalancer(ports: readonly number[]): Balancer {
  const targets: Target[] = [];
  const closing = new AbortController();
  const looks: Promise<void>[] = [];
  const isOver = (): boolean => closing.signal.aborted;
  const look = async (target: Target): Promise<void> => {
    while (!isOver()) {
      target.isReady = await isReady(target.port);
      await pause(lookEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const add = (port: number): void => {
    const target = { port, isReady: false };
    targets.push(target);
    looks.push(look(target));
  };
  for (const port of ports) add(port);
  let turn = 0;
  return {
    add,
    next: async () => {
      for (;;) {
        const ready = targets.filter((target) => target.isReady);
        const target = ready[turn % Math.max(1, ready.length)];
        turn += 1;
        if (target !== undefined) return target.port;
        await pause(10);
      }
    },
    close: async () => {
      closing.abort();
      await Promise.all(looks);
    },
  };
}

/** How a request ended. */
export interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends one request. Never rejects; a connection that failed has the status 0. */
export async function send(port: number, path: string, options: SendOptions): Promise<Sent> {
  const { key, body, method = body === undefined ? 'GET' : 'POST', headers = {} } = options;
  try {
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : error;
    return { status: 0, text: String(cause) };
  }
}

export interface SendOptions {
  readonly key: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
