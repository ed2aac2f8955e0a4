import { locateStore, type StoreLocation } from '@ctx/agent-adapter/store';
import type { CliHost } from '../cli-host.ts';
import { readConfig } from '../read-config.ts';

/** The store of a command. Contract: as `locateStore`; config files are checked as a whole. */
export function storeLocationOf(host: CliHost, flag: string | undefined): Promise<StoreLocation> {
  const { env, cwd, folders } = host;
  return locateStore({ env, cwd, folders, readConfig }, flag);
}
