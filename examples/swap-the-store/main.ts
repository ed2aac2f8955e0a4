/**
 * The same program on three stores, and the same data moved from one to the next without loss. On a fourth, too, where
 * `CTX_TEST_POSTGRES` names a database.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContextStore, migrateStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const url = process.env['CTX_TEST_POSTGRES'] ?? '';
const backends = {
  memory: () => memoryBackend(),
  sqlite: () => sqliteBackend({ path: join(folder, 'ctx.db') }),
  fs: () => fsBackend({ path: join(folder, 'files') }),
  ...(url === '' ? {} : { postgres: () => postgresBackend({ url, schema: 'ctx_example' }) }),
};

/** What an application does; it knows `ContextStore` and nothing of where things lie. */
async function work(store: ContextStore): Promise<string[]> {
  for (const name of ['config.ts', 'server.ts', 'client.ts']) {
    const call = { sessionId: 's', toolName: 'Read', args: { file_path: `src/${name}` } };
    await store.outputs.save({ ...call, result: `// the content of ${name}` });
  }
  await store.sessions.update('s', (session) => ({ ...session, title: 'Swap the store' }));
  const found = await store.outputs.relevant({ sessionId: 's', prompt: 'what does server.ts do?' });
  return found.selected.map(({ pointer }) => pointer.path ?? '');
}

try {
  for (const [name, backend] of Object.entries(backends)) {
    const store = await openStore(backend());
    const [first] = await work(store);
    assert.equal(first, 'src/server.ts', name);
    await store.close();
  }
  const target = fsBackend({ path: join(folder, 'copy') });
  const source = backends.sqlite();
  const receipt = await migrateStore(source, target, { verify: true });
  assert.deepEqual(receipt.differences, []);
  await source.close();
  await target.close();
  const copy = await openStore(fsBackend({ path: join(folder, 'copy') }));
  assert.equal((await copy.sessions.get('s'))?.title, 'Swap the store');
  assert.equal((await copy.outputs.search({ text: 'server' })).hits.length, 1);
  await copy.close();
  console.log(
    `${String(Object.keys(backends).length)} stores, one program; ${String(receipt.copied)} records moved and compared`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
