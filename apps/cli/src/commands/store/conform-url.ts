import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseStoreUrl, type StoreUrl } from '@ctx/agent-adapter/store';
import type { BackendMaker } from '@ctx/store/testing';
import { backendOf } from '../../store/open-store-url.ts';

type PostgresStoreUrl = Extract<StoreUrl, { scheme: 'postgres' }>;

/** Whether a text is the URL of a store and not the path of a module. */
export function isStoreUrl(text: string): boolean {
  return /^(memory|sqlite|fs|postgres|postgresql):/.test(text);
}

/** The same database, another schema. */
function withSchema({ connection }: PostgresStoreUrl, schema: string): string {
  const url = new URL(connection);
  url.searchParams.set('schema', schema);
  return url.href;
}

/** Every place is a schema of its own, which is dropped. */
function schemasOf(url: PostgresStoreUrl): BackendMaker {
  const run = randomBytes(6).toString('hex');
  let count = 0;
  return {
    create: ({ place }) => backendOf({ ...url, connection: withSchema(url, place) }),
    places: {
      make: () => {
        count += 1;
        return Promise.resolve(`ctx_conform_${run}_${String(count)}`);
      },
      remove: async (place) => {
        const { dropPostgresStore } = await import('@ctx/store-postgres');
        await dropPostgresStore({ url: withSchema(url, place) });
      },
    },
  };
}

/** Every place is a folder of its own beside what the URL names, so that it lies on the same disk. */
function foldersOf(url: Exclude<StoreUrl, PostgresStoreUrl>): BackendMaker {
  const beside = dirname(url.path);
  return {
    create: ({ place }) => backendOf({ ...url, path: join(place, 'store') }),
    places: {
      make: async () => {
        await mkdir(beside, { recursive: true });
        return mkdtemp(join(beside, 'ctx-conform-'));
      },
      remove: (place) => rm(place, { recursive: true, force: true, maxRetries: 3 }),
    },
  };
}

/**
 * How the kit gets at stores of a URL: on new places, so that nothing of the store that it names is read or written.
 * @throws `CTX_INVALID_INPUT`.
 */
export function makerOfUrl(
  text: string,
  from: { readonly cwd: string; readonly home: string },
): BackendMaker & { readonly shown: string } {
  const url = parseStoreUrl(text, from);
  if (url.scheme === 'postgres') return { ...schemasOf(url), shown: url.text };
  if (url.scheme === 'memory') return { create: () => backendOf(url), shown: url.text };
  return { ...foldersOf(url), shown: url.text };
}
