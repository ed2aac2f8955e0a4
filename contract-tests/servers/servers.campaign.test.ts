import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLiveReader } from './live-reader.ts';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { numbers, saveMany } from './save-many.ts';
import { endServers, openSchema, send, startServerProcess } from './start-servers.ts';

const database = await realDatabase();
const url = database?.url ?? '';

afterAll(() => database?.end());

/** Four processes start; a busy machine takes its time. */
const hookMs = 120_000;

describe.skipIf(database === undefined)(
  `four servers over one store${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    const schema = database?.newSchema() ?? '';
    let ports: number[] = [];
    let admin = '';

    /** The next of the servers, in turn. */
    function inTurn(start = 0): () => Promise<number> {
      let turn = start;
      return () => {
        turn += 1;
        return Promise.resolve(ports[turn % ports.length] ?? 0);
      };
    }

    async function keyOf(tenant: string, scope: 'read' | 'admin' = 'admin'): Promise<string> {
      const stores = await openSchema(url, schema);
      const { text } = await stores.keys.create({ tenant, scope });
      await stores.close();
      return text;
    }

    beforeAll(async () => {
      // All at once: one of them makes the tables, the others wait for it.
      const servers = await Promise.all(numbers(4).map(() => startServerProcess(url, schema)));
      ports = servers.map(({ port }) => port);
      admin = await keyOf('default');
    }, hookMs);
    afterAll(async () => {
      await endServers();
    }, hookMs);

    it('fifty readers that go from server to server lose no event and get none twice', async () => {
      const key = await keyOf('live');
      const readers = numbers(50).map((number) =>
        startLiveReader({ key, next: inTurn(number), moveAfter: 10 + (number % 7) }),
      );
      const total = 200;
      const sent = await saveMany({
        next: inTurn(),
        key,
        atOnce: 8,
        until: (begun) => begun >= total,
      });
      expect(sent.filter(({ status }) => status !== 201)).toEqual([]);
      await Promise.all(readers.map((reader) => reader.until(total)));
      for (const reader of readers) {
        reader.close();
        expect(reader.sequences).toEqual(numbers(total));
        // Nobody ended a connection but the reader itself.
        expect(reader.codes).toEqual([]);
      }
    });

    it('a request that names itself works once, whichever servers it is sent to at once', async () => {
      const body = { kind: 'TASK', content: 'once' };
      const headers = { 'idempotency-key': 'the-one' };
      const ask = (port: number) =>
        send(port, '/v1/agents/once/items', { key: admin, body, headers });
      const first = await Promise.all([...ports, ...ports].map(ask));
      const made = first.filter(({ status }) => status === 201);
      expect(made).toHaveLength(first.length);
      const again = await Promise.all(ports.map(ask));
      expect(new Set([...made, ...again].map(({ text }) => text)).size).toBe(1);
      const list = await send(ports[0] ?? 0, '/v1/agents/once/items', { key: admin });
      expect(JSON.parse(list.text)).toMatchObject({ items: [{ kind: 'TASK' }] });
    });

    it('a key that one server revokes is refused by all, and its live connections end at all', async () => {
      const key = await keyOf('default', 'read');
      const ask = (port: number) => send(port, '/v1/agents/a/items', { key });
      const readers = ports.map((port) =>
        startLiveReader({ key, next: () => Promise.resolve(port), moveAfter: Infinity }),
      );
      expect(await Promise.all(ports.map(async (port) => (await ask(port)).status))).toEqual(
        ports.map(() => 200),
      );
      const id = key.split('_')[1] ?? '';
      const [first = 0, ...others] = ports;
      const revoked = await send(first, `/v1/keys/${id}`, { key: admin, method: 'DELETE' });
      expect(revoked.status).toBe(200);
      // At once where it was revoked; at the others as soon as what they know of it is too old.
      expect((await ask(first)).status).toBe(401);
      for (const port of others) while ((await ask(port)).status !== 401);
      for (const reader of readers) {
        await reader.untilCode(4403);
        reader.close();
      }
    });
  },
);
