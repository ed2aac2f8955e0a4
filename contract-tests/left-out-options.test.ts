import { createContextManager } from '@ctx/agent-adapter';
import { createMemory } from '@ctx/memory';
import { createProxy, proxyFetch, serveProxy } from '@ctx/proxy';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openFsStore } from '@ctx/store-fs';
import { openPostgresStore } from '@ctx/store-postgres';
import { openSqliteStore } from '@ctx/store-sqlite';
import { expect, test } from 'vitest';

const store = await openStore(memoryBackend());

/** Calls as JavaScript does, where no type is in the way. */
async function call(run: unknown, ...given: readonly unknown[]): Promise<unknown> {
  const result: unknown = await Reflect.apply(run as () => unknown, null, given);
  return result;
}

const noStore = 'store must be an open store';

test.each<[name: string, run: unknown, given: readonly unknown[], words: string]>([
  ['openSqliteStore', openSqliteStore, [], 'path must name a file'],
  ['openSqliteStore', openSqliteStore, [null], 'path must name a file'],
  ['openFsStore', openFsStore, [], 'path must name a folder'],
  ['openPostgresStore', openPostgresStore, [null], 'url must begin with postgres://'],
  ['openStore', openStore, [], 'backend must be one'],
  ['openStore', openStore, [{ path: 'ctx.db' }], 'backend must be one'],
  ['createContextManager', createContextManager, [], noStore],
  ['createContextManager', createContextManager, [{ sessionId: 's' }], noStore],
  ['createContextManager', createContextManager, [{ store: Promise.resolve(store) }], noStore],
  ['createContextManager', createContextManager, [{ store }], 'sessionId must be a text'],
  ['createMemory', createMemory, [null], noStore],
  ['createProxy', createProxy, [], noStore],
  ['createProxy', createProxy, [{ store: 'ctx.db' }], noStore],
  ['serveProxy', serveProxy, [], noStore],
  ['serveProxy', serveProxy, [{ store: null }], noStore],
  ['proxyFetch', proxyFetch, [], 'proxy must be what createProxy() returns'],
  ['proxyFetch', proxyFetch, [{ store }], 'proxy must be what createProxy() returns'],
])('%s says which option is missing: %#', async (_name, run, given, words) => {
  await expect(call(run, ...given)).rejects.toMatchObject({
    name: 'CtxError',
    message: expect.stringContaining(words) as string,
  });
});

test('null in place of the options of a memory is as none', async () => {
  await expect(call(createMemory, store, null)).resolves.toHaveProperty('recall');
});
