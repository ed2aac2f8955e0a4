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

/** Loads it from where it was built: it is no part of the package. */
export async function storeTestHelp(): Promise<StoreTestHelp> {
  const folder = new URL('../../../packages/store-postgres/dist/test-support/', import.meta.url);
  const load = (file: string): Promise<object> =>
    import(new URL(file, folder).href) as Promise<object>;
  const help: object = { ...(await load('real-server.js')), ...(await load('proxy.js')) };
  return help as StoreTestHelp;
}
