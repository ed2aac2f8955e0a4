import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from '../driver/pg-driver.ts';
import type { SqlDriver, SqlSession } from '../driver/sql-driver.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { papers } from '../test-support/papers.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';

const log: CollectionDefinition = {
  name: 'log',
  key: ['tenant', 'number'],
  columns: {},
  indexes: [],
  search: [],
};

const server = await realServer();
const url = server?.url ?? '';
let schemas = 0;

afterAll(async () => {
  const driver = pgDriver(url, { maxConnections: 1 });
  for (let number = 1; number <= schemas; number += 1) {
    await driver.query(
      `DROP SCHEMA IF EXISTS "append_${String(process.pid)}_${String(number)}" CASCADE`,
    );
  }
  await driver.close();
  await server?.stop();
});

function newSchema(): string {
  schemas += 1;
  return `append_${String(process.pid)}_${String(schemas)}`;
}

/** A driver that lets `before` work ahead of each statement that appends; what is sent behind that waits for it. */
function watched(driver: SqlDriver, before: () => Promise<void>): SqlDriver {
  const session = (plain: SqlSession): SqlSession => {
    let ready: Promise<unknown> = Promise.resolve();
    const inOrder = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
      const turn = ready.then(() => ({ answer: send() }));
      ready = turn;
      const { answer } = await turn;
      return answer;
    };
    return {
      query: (sql, values) => inOrder(() => plain.query(sql, values)),
      lists: (sql, values, options) => {
        if (sql.includes('WITH ORDINALITY')) ready = ready.then(before);
        return inOrder(() => plain.lists(sql, values, options));
      },
      script: (sql) => inOrder(() => plain.script(sql)),
    };
  };
  return {
    ...driver,
    session: (work, options) => driver.session((one) => work(session(one)), options),
  };
}

async function numbersOf(backend: StoreBackend): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { key } of backend.scan({ collection: 'log', index: 'key', equal: ['t'] })) {
    numbers.push(Number(key[1]));
  }
  return numbers;
}

const records = [{ columns: {}, body: '{}' }];
const appends = [{ collection: 'log', place: ['t'], records }];
const put = (id: string) => ({
  ...({ type: 'put', collection: 'papers', columns: {}, body: '{}', expectVersion: 0 } as const),
  key: ['t', 's', id],
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe.skipIf(server === undefined)(
  `what is appended${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('makes writers wait for each other: none of them has to try again', async () => {
      const schema = newSchema();
      let statements = 0;
      const count = (): Promise<void> => {
        statements += 1;
        return Promise.resolve();
      };
      const backends = [1, 2, 3, 4].map(() =>
        postgresBackend({ driver: watched(pgDriver(url, { maxConnections: 3 }), count), schema }),
      );
      for (const backend of backends) await backend.open([papers, log]);
      const write = (backend: StoreBackend, id: string) => backend.write([put(id)], { appends });
      await Promise.all(
        backends.flatMap((backend, at) =>
          upTo(15).map((number) => write(backend, `${String(at)} ${String(number)}`)),
        ),
      );
      const [first] = backends;
      expect(first && (await numbersOf(first))).toEqual(upTo(60));
      expect(statements).toBe(60);
      for (const backend of backends) await backend.close();
    }, 60_000);

    it('is done anew where somebody took the number who takes no lock', async () => {
      const schema = newSchema();
      const plain = postgresBackend({ url, schema, maxConnections: 1 });
      await plain.open([papers, log]);
      let tries = 0;
      const steal = async (): Promise<void> => {
        tries += 1;
        if (tries > 1) return;
        // Not committed yet as the append looks for the newest number: it waits at the key, and finds it taken.
        const thief = pgDriver(url, { maxConnections: 1 });
        await new Promise<void>((resolve) => {
          void thief.session(async (session) => {
            await session.script('BEGIN');
            await session.query(
              `INSERT INTO "${schema}"."log" (tenant, number, _version, _body) VALUES ('t', '000000000001', 1, '{}')`,
            );
            resolve();
            const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`;
            while ((await session.query(waits)).length === 0);
            await session.script('COMMIT');
          });
        });
      };
      const backend = postgresBackend({ driver: watched(pgDriver(url), steal), schema });
      await backend.open([papers, log]);
      await backend.write([put('a')], { appends });
      expect(tries).toBe(2);
      expect(await numbersOf(backend)).toEqual([1, 2]);
      const [found] = await backend.get('papers', [['t', 's', 'a']]);
      expect(found?.version).toBe(1);
      await backend.close();
      await plain.close();
    }, 60_000);

    it('takes the operations back with it where it fails, though the commit was sent behind it', async () => {
      const schema = newSchema();
      const driver = pgDriver(url);
      const failing: SqlDriver = {
        ...driver,
        session: (work) =>
          driver.session((plain) =>
            work({
              ...plain,
              lists: (sql, values) => {
                const isAppend = sql.includes('WITH ORDINALITY');
                return isAppend ? plain.lists('SELECT 1 / 0', []) : plain.lists(sql, values);
              },
            }),
          ),
      };
      const backend = postgresBackend({ driver: failing, schema });
      await backend.open([papers, log]);
      await expect(backend.write([put('a')], { appends })).rejects.toThrow();
      expect(await numbersOf(backend)).toEqual([]);
      expect(await backend.get('papers', [['t', 's', 'a']])).toEqual([undefined]);
      await backend.close();
    });
  },
);
