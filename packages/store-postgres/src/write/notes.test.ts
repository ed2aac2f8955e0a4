import { afterAll, expect, it } from 'vitest';
import { pgDriver } from '../driver/pg-driver.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { forgetWrites, writeId } from './notes.ts';

const server = await realServer();
const url = server?.url ?? '';
const schema = `notes_${String(process.pid)}`;

afterAll(async () => {
  if (server === undefined) return;
  const driver = pgDriver(url, { maxConnections: 1 });
  await driver.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await driver.close();
  await server.stop();
});

it.skipIf(server === undefined)(
  `old notes of writes that another process is letting go of are left to it${server === undefined ? ` (${whyNoServer})` : ''}`,
  async () => {
    const backend = postgresBackend({ url, schema });
    await backend.open([]);
    const [driver, other] = [pgDriver(url), pgDriver(url, { maxConnections: 1 })];
    const log = { driver, schema: `"${schema}"` };
    const now = Date.now();
    const old = now - 2 * 3_600_000;
    const table = `"${schema}"."ctx$$writes"`;
    const ids = [1, 2, 3].map((count) => writeId(old + count));
    for (const id of [...ids, writeId(now)]) {
      const at = ids.includes(id) ? old : now;
      const insert = `INSERT INTO ${table} (tenant, id, at) VALUES ('t', $1, $2)`;
      await driver.query(insert, [id, at]);
    }
    await other.session(async (session) => {
      await session.script('BEGIN');
      await session.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [ids[0] ?? '']);
      expect(await forgetWrites(log, 't', now)).toBe(2);
      await session.script('COMMIT');
    });
    expect(await forgetWrites(log, 't', now)).toBe(1);
    expect(await driver.query(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 1 }]);
    await Promise.all([backend.close(), driver.close(), other.close()]);
  },
);
