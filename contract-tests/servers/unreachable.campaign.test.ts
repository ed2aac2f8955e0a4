import { connect, createServer, type Server, type Socket } from 'node:net';
import { serve } from '@ctx/server';
import { postgresBackend } from '@ctx/store-postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { numbers } from './save-many.ts';

const database = await realDatabase();
afterAll(() => database?.end());

/** A way to the database that can be cut. */
interface Way {
  readonly url: string;
  /** Ends all connections, and refuses new ones until it is mended. */
  readonly cut: () => void;
  readonly mend: () => Promise<void>;
}

async function wayTo(target: string): Promise<Way> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const open = (wanted: number): Promise<number> =>
    new Promise((resolve) => {
      server = createServer((near) => {
        const far = connect(Number(port), hostname);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
        }
        near.pipe(far).pipe(near);
      });
      server.listen(wanted, '127.0.0.1', () => {
        const address = server?.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  const own = await open(0);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  return {
    url: url.href,
    cut: () => {
      server?.close();
      for (const socket of sockets) socket.destroy();
    },
    mend: async () => {
      await open(own);
    },
  };
}

describe.skipIf(database === undefined)(
  `a server whose database is away${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  { timeout: 120_000 },
  () => {
    it('answers 503 with Retry-After, never 500, and goes on when the database is back', async () => {
      const way = await wayTo(database?.url ?? '');
      const backend = postgresBackend({ url: way.url, schema: database?.newSchema() ?? '' });
      const limits = { maxLagMs: 0, worksEveryMs: 0 };
      const server = await serve({ backend, port: 0, access: 'none', limits });
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ kind: 'TASK', content: 'a' });
      const items = `${server.url}/v1/agents/a/items`;
      const stats = `${server.url}/api/agents/a/context/stats`;
      const named = { ...headers, 'idempotency-key': 'n' };
      const ask = () =>
        Promise.all([
          fetch(items, { method: 'POST', headers, body }),
          fetch(items, { method: 'POST', headers: named, body }),
          fetch(items),
          fetch(stats),
          fetch(`${server.url}/v1/sessions`),
        ]);
      const answersOf = async () =>
        (await ask()).map(({ status, headers: sent }) => [status, sent.get('retry-after')]);
      expect((await answersOf()).map(([status]) => status)).toEqual([201, 201, 200, 200, 200]);
      const asked = numbers(8).map(() => answersOf());
      way.cut();
      for (const answers of await Promise.all(asked)) {
        for (const [status, after] of answers) {
          if (Number(status) >= 300) expect([status, after]).toEqual([503, '1']);
        }
      }
      expect(await answersOf()).toEqual(numbers(5).map(() => [503, '1']));
      await way.mend();
      expect((await answersOf()).map(([status]) => status)).toEqual([201, 201, 200, 200, 200]);
      await server.stop();
      way.cut();
    });
  },
);
