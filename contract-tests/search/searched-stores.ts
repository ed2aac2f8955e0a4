import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { dropPostgresStore, postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';
import { onTestFinished } from 'vitest';

const server = process.env['CTX_TEST_POSTGRES'] ?? '';
let schemas = 0;

function inFolder(open: (folder: string) => StoreBackend): StoreBackend {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-search-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return open(folder);
}

function onServer(): StoreBackend {
  schemas += 1;
  const place = { url: server, schema: `search_${String(process.pid)}_${String(schemas)}` };
  onTestFinished(() => dropPostgresStore(place));
  return postgresBackend(place);
}

const backends: Readonly<Record<string, () => StoreBackend>> = {
  memory: memoryBackend,
  fs: () => inFolder((folder) => fsBackend({ path: folder })),
  sqlite: () => inFolder((folder) => sqliteBackend({ path: join(folder, 'ctx.db') })),
  ...(server === '' ? {} : { postgres: onServer }),
};

/** The stores that search; PostgreSQL among them where `CTX_TEST_POSTGRES` names a server. */
export const searchedStores: readonly string[] = Object.keys(backends);

/** Opens an empty store until the test ends; `wrap` sees each call to its backend. */
export async function openSearched(
  name: string,
  wrap = (backend: StoreBackend): StoreBackend => backend,
): Promise<ContextStore> {
  const store = await openStore(wrap((backends[name] ?? memoryBackend)()));
  onTestFinished(() => store.close());
  return store;
}
