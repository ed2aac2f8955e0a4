import { homedir } from 'node:os';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { readConfigFile } from './config-files.ts';
import { locateStore, userFolders } from './store-location.ts';
import { parseStoreUrl, type StoreUrl } from './store-url.ts';

/** Of a config file only the store: the command line checks the rest. */
async function readConfig(path: string): Promise<{ readonly store?: string } | undefined> {
  const file = await readConfigFile(path);
  if (typeof file?.said !== 'object' || file.said === null) return undefined;
  return 'store' in file.said && typeof file.said.store === 'string'
    ? { store: file.said.store }
    : {};
}

/** Only the package that is needed is loaded. */
async function backendOf(url: StoreUrl): Promise<StoreBackend> {
  switch (url.scheme) {
    case 'memory':
      return memoryBackend();
    case 'sqlite':
      return (await import('@ctx/store-sqlite')).sqliteBackend({ path: url.path });
    case 'fs':
      return (await import('@ctx/store-fs')).fsBackend({ path: url.path });
    case 'postgres':
      return (await import('@ctx/store-postgres')).postgresBackend({ url: url.connection });
  }
}

/**
 * Opens the store that `ctx` shows: that of `CTX_STORE`, of the project's config, of the user's, else `ctx.db` in the user's data
 * folder; or the one that a URL names. It is made where it is missing.
 */
export async function openDefaultStore(named?: string): Promise<ContextStore> {
  const cwd = process.cwd();
  if (named !== undefined) {
    return openStore(await backendOf(parseStoreUrl(named, { cwd, home: homedir() })));
  }
  const asker = { env: process.env, cwd, folders: userFolders, readConfig };
  const { url } = await locateStore(asker, undefined);
  return openStore(await backendOf(url));
}
