import { connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { endServers, send, startServerProcess } from './start-servers.ts';

const database = await realDatabase();
const url = database?.url ?? '';

/** Processes start; a busy machine takes its time. */
const limitMs = 240_000;

afterAll(async () => {
  await endServers();
  await database?.end();
}, limitMs);

/** Stands before the database, and may shut. */
interface Gate {
  readonly url: string;
  readonly shut: () => void;
  readonly open: () => void;
  readonly end: () => void;
}

async function startGate(): Promise<Gate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((near) => {
    if (isShut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const through = new URL(url);
  through.port = String(typeof address === 'object' ? address?.port : '');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through.href,
    shut: () => {
      isShut = true;
      cut();
    },
    open: () => {
      isShut = false;
    },
    end: () => {
      cut();
      server.close();
    },
  };
}

describe.skipIf(database === undefined)(
  `a server whose database goes away${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    it(
      'says so and lives on, and is ready again once the database is back',
      async () => {
        const gate = await startGate();
        const { port } = await startServerProcess(gate.url, database?.newSchema() ?? '');
        const ask = async (path: string): Promise<number> =>
          (await send(port, path, { key: '' })).status;
        expect([await ask('/readyz'), await ask('/healthz')]).toEqual([200, 200]);
        gate.shut();
        expect([await ask('/readyz'), await ask('/healthz')]).toEqual([503, 200]);
        expect([await ask('/readyz'), await ask('/healthz')]).toEqual([503, 200]);
        gate.open();
        while ((await ask('/readyz')) !== 200);
        expect(await ask('/healthz')).toBe(200);
        gate.end();
      },
      limitMs,
    );
  },
);
