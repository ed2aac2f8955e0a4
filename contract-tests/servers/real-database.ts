import { loadByPlace } from './load-by-place.ts';

/** What is used of the help that the PostgreSQL store has for its own tests. */
interface StoreHelp {
  readonly realServer: () => Promise<
    { readonly url: string; readonly stop: () => Promise<void> } | undefined
  >;
  readonly whyNoServer: string;
  readonly pgDriver: (
    url: string,
    options: { readonly maxConnections: number },
  ) => {
    readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
    readonly close: () => Promise<void>;
  };
}

async function loadHelp(): Promise<StoreHelp> {
  const load = (file: string): Promise<object> =>
    loadByPlace(`packages/store-postgres/src/${file}`);
  return {
    ...(await load('test-support/real-server.ts')),
    ...(await load('driver/pg-driver.ts')),
  } as StoreHelp;
}

const { realServer, whyNoServer, pgDriver } = await loadHelp();

/** A PostgreSQL server for the tests of one file. */
export interface RealDatabase {
  readonly url: string;
  /** Name of a schema that nobody has used. */
  readonly newSchema: () => string;
  /** Runs a statement. */
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Removes the schemas, and ends the server where it was started for this. */
  readonly end: () => Promise<void>;
}

/** What a skipped test says. */
export const whyNoDatabase: string = whyNoServer;

/** `undefined` where there is no server and none can be started. */
export async function realDatabase(): Promise<RealDatabase | undefined> {
  const server = await realServer();
  if (server === undefined) return undefined;
  const driver = pgDriver(server.url, { maxConnections: 1 });
  const schemas: string[] = [];
  return {
    url: server.url,
    newSchema: () => {
      const schema = `servers_${String(process.pid)}_${String(schemas.length)}`;
      schemas.push(schema);
      return schema;
    },
    query: (sql) => driver.query(sql),
    end: async () => {
      for (const schema of schemas) await driver.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await driver.close();
      await server.stop();
    },
  };
}
