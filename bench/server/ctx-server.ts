/**
 * The server of ctx. Arguments: the folder of a SQLite store, which it fills with a session and items; or the URL of a PostgreSQL
 * database and a schema, which it takes as they are. With `CTX_BENCH_THREAD=1` in the environment SQLite writes on a thread of its own,
 * with `0` on the one that serves; else as in `ctx up`, by the processors.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { serve } from '@ctx/server';
import { emptySessionDocument } from '@ctx/store';
import { postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';
import { answerParent } from './child-server.ts';
import { agentsByTurns } from './loads.ts';

async function fill({ stores }: Awaited<ReturnType<typeof serve>>): Promise<string> {
  const store = await stores.store('default');
  const document = emptySessionDocument('one');
  const entry = (index: number) => ({
    timestamp: index,
    role: 'user',
    content: 'words '.repeat(8),
  });
  const history = Array.from({ length: 30 }, (_, index) => entry(index));
  await store.sessions.update('one', (session) => ({
    ...session,
    document: { ...document, recent_history: history },
  }));
  for (let index = 0; index < 200; index += 1) {
    await store.items.save({ agentId: 'ada', kind: 'TASK', content: `item ${String(index)}` });
  }
  for (let agent = 0; agent < agentsByTurns; agent += 1) {
    const agentId = `turn${String(agent)}`;
    const contents = Array.from({ length: 40 }, (_, index) => `item ${String(index)}`);
    await store.items.saveMany(contents.map((content) => ({ agentId, kind: 'TASK', content })));
  }
  return (await stores.keys.create({ tenant: 'default', scope: 'write' })).text;
}

function hasWriteThread(): boolean {
  const asked = process.env['CTX_BENCH_THREAD'];
  return asked === undefined ? availableParallelism() > 2 : asked === '1';
}

const [place = '', schema = ''] = process.argv.slice(2);
const isPostgres = place.startsWith('postgres');
const server = await serve({
  backend: isPostgres
    ? postgresBackend({ url: place, schema })
    : sqliteBackend({
        path: join(place, 'ctx.db'),
        writeThread: hasWriteThread(),
      }),
  port: 0,
  limits: { requestsPerMinute: Number.MAX_SAFE_INTEGER, maxLagMs: 0 },
});
answerParent({ url: server.url, key: isPostgres ? '' : await fill(server) }, () => server.stop());
