import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A PostgreSQL server of our own. */
interface LocalServer {
  readonly url: string;
  readonly crash?: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What is used of the help that the PostgreSQL store has for its own tests. */
export interface StoreTestHelp {
  /** Where the local binaries are. */
  readonly binaryFolder: () => Promise<string | undefined>;
  /** Starts a server from them; `prepare` gives further settings. */
  readonly startLocal: (binaries: string, prepare: () => Promise<string>) => Promise<LocalServer>;
  /** Starts a server from local binaries; `undefined` where there are none. */
  readonly realServer: (isOwn: boolean) => Promise<LocalServer | undefined>;
  /** Starts what stands between a store and its server. */
  readonly startProxy: (url: string) => Promise<{
    readonly url: string;
    readonly cut: () => void;
    readonly hold: () => void;
    readonly close: () => void;
  }>;
}

interface Transpiling {
  readonly transpile: (folder: string) => Promise<void>;
}

const root = new URL('../../../', import.meta.url);
const store = new URL('packages/store-postgres/', root);
const folder = new URL('dist/test-support/', store);

/** Loads it from where it was built: it is no part of the package, and `npm run build` leaves it out. */
export async function storeTestHelp(): Promise<StoreTestHelp> {
  const load = (file: URL): Promise<object> => import(file.href) as Promise<object>;
  if (!existsSync(folder)) {
    const { transpile } = (await load(new URL('scripts/setup/transpile.mjs', root))) as Transpiling;
    await transpile(fileURLToPath(store));
  }
  const help: object = {
    ...(await load(new URL('real-server.js', folder))),
    ...(await load(new URL('proxy.js', folder))),
  };
  return help as StoreTestHelp;
}
