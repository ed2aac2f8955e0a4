/** The server of ctx over SQLite, filled with a session and items. Arguments: the folder of its store. */
import { join } from 'node:path';
import { emptySessionDocument } from '@ctx/core';
import { serve, type ServingServer } from '@ctx/server';
import { sqliteBackend } from '@ctx/store-sqlite';
import { answerParent } from './child-server.ts';

async function fill({ stores }: ServingServer): Promise<string> {
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
  return (await stores.keys.create({ tenant: 'default', scope: 'write' })).text;
}

const [folder = ''] = process.argv.slice(2);
const server = await serve({
  backend: sqliteBackend({ path: join(folder, 'ctx.db') }),
  port: 0,
  limits: { requestsPerMinute: Number.MAX_SAFE_INTEGER, maxLagMs: 0 },
});
answerParent({ url: server.url, key: await fill(server) }, () => server.stop());
