import { afterAll, describe, expect, it } from 'vitest';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { numbers } from './save-many.ts';
import { endServers, openSchema, send, startServerProcess } from './start-servers.ts';

const database = await realDatabase();
const url = database?.url ?? '';

/** Processes start and stop; a busy machine takes its time. */
const limitMs = 120_000;

afterAll(async () => {
  await endServers();
  await database?.end();
}, limitMs);

describe.skipIf(database === undefined)(
  `the limit of a key${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    it(
      'holds for four servers together, also where one of them dies with what it took',
      async () => {
        const schema = database?.newSchema() ?? '';
        const limit = 400;
        const start = () => startServerProcess(url, schema, { requestsPerMinute: limit });
        const servers = await Promise.all(numbers(4).map(start));
        const stores = await openSchema(url, schema);
        const { text: key } = await stores.keys.create({ tenant: 'default', scope: 'read' });
        await stores.close();
        const ask = async (ports: readonly number[], count: number): Promise<number[]> => {
          const found: number[] = [];
          const work = async (port: number): Promise<void> => {
            for (let sent = 0; sent < count; sent += 1) {
              found.push((await send(port, '/v1/agents/a/items', { key })).status);
            }
          };
          await Promise.all(ports.flatMap((port) => [work(port), work(port)]));
          return found;
        };
        const ports = servers.map(({ port }) => port);
        const [dying] = servers;
        const begun = Date.now();
        const before = await ask(ports, 20);
        await dying?.kill();
        const after = await ask(ports.slice(1), 80);
        // One, unless the machine took more than a minute.
        const windows = 1 + Math.floor((Date.now() - begun) / 60_000);
        const admitted = [...before, ...after].filter((status) => status === 200).length;
        expect(new Set([...before, ...after])).toEqual(new Set([200, 429]));
        // A hundredth of it for each process at most is admitted beyond; what the dead one held is at most an eighth.
        expect(admitted).toBeLessThanOrEqual(windows * (limit + 4 * (limit / 100)));
        expect(admitted).toBeGreaterThanOrEqual(limit * (7 / 8));
      },
      limitMs,
    );
  },
);
