import { openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { approximateTokens } from '@ctx/tokens/approximate';
import { importFound } from '@ctx/transcripts/import';
import { thread } from '../import/import-parts.ts';

/**
 * A program that imports a file into a store and gets a signal in the midst of its n-th write. With `sqlite-by-thread` the file is
 * read by a thread.
 */
const [kind = '', path = '', file = '', signal = '', place = '1'] = process.argv.slice(2);

const stopping = new AbortController();
process.on('SIGINT', () => {
  stopping.abort();
});

function hitInWrite(backend: StoreBackend): StoreBackend {
  let writes = 0;
  return {
    ...backend,
    write: (operations, options) => {
      const writing = backend.write(operations, options);
      writes += 1;
      if (writes === Number(place)) setImmediate(() => process.kill(process.pid, signal));
      return writing;
    },
  };
}

const plain = kind === 'fs' ? fsBackend({ path }) : sqliteBackend({ path });
const store = await openStore(hitInWrite(plain));
try {
  const options = {
    redact: 'on',
    count: 'approximate',
    countTokens: approximateTokens,
    signal: stopping.signal,
    ...(kind === 'sqlite-by-thread' ? { thread: { ...thread, fromBytes: 0 } } : {}),
  } as const;
  const [entry] = await importFound(store, { path: file, isNamed: true }, options);
  console.log(entry?.status);
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error);
} finally {
  await store.close();
}
