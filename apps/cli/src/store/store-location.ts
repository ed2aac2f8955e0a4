import { locateStore, type StoreUrl } from '@ctx/agent-adapter/store';
import type { CliHost } from '../cli-host.ts';
import { readConfig } from '../read-config.ts';

/** Where a store is, and who said so. */
export type StoreLocation = Awaited<ReturnType<typeof locateStore>>;

/** Whether the store is a file or folder of this machine. */
export function hasFiles({ scheme }: StoreUrl): boolean {
  return scheme === 'sqlite' || scheme === 'fs';
}

/** The store of a command. As `locateStore`; config files are checked as a whole. */
export function storeLocationOf(host: CliHost, flag: string | undefined): Promise<StoreLocation> {
  const { env, cwd, folders } = host;
  return locateStore({ env, cwd, folders, readConfig }, flag);
}
