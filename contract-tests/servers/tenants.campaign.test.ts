import { afterAll, expect, it } from 'vitest';
import { loadByPlace } from './load-by-place.ts';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { numbers } from './save-many.ts';
import { endServers, openSchema, startServerProcess } from './start-servers.ts';

/** Processes start; a busy machine takes its time. */
const limitMs = 240_000;

const database = await realDatabase();

afterAll(async () => {
  await endServers();
  await database?.end();
}, limitMs);

type Call = (path: string, options?: object) => Promise<unknown>;
type KeyMaker = (scope: 'read' | 'admin', tenant?: string) => Promise<string>;

/** What is used of the help that the server has for its own tests. */
interface ServerHelp {
  readonly callUrl: (url: string, options: object) => Promise<unknown>;
  readonly routesOf: (server: { call: Call; key: KeyMaker }) => Promise<readonly unknown[]>;
  readonly expectTenantsApart: (matrix: {
    readonly call: Call;
    readonly routes: readonly unknown[];
    readonly ours: string;
    readonly theirs: string;
  }) => Promise<void>;
}

async function loadHelp(): Promise<ServerHelp> {
  const load = (file: string): Promise<object> =>
    loadByPlace(`apps/server/src/test-support/${file}`);
  const [start, routes, matrix] = await Promise.all(
    ['start-server.ts', 'routes-of.ts', 'tenant-matrix.ts'].map(load),
  );
  return { ...start, ...routes, ...matrix } as ServerHelp;
}

it.skipIf(database === undefined)(
  `ids of a tenant mean nothing to another, whichever of four servers each of them asks (S8)${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  async () => {
    const { url = '', newSchema } = database ?? {};
    const schema = newSchema?.() ?? '';
    const { callUrl, routesOf, expectTenantsApart } = await loadHelp();
    const servers = await Promise.all(numbers(4).map(() => startServerProcess(url, schema)));
    const stores = await openSchema(url, schema);
    const key: KeyMaker = async (scope, tenant = 'default') =>
      (await stores.keys.create({ tenant, scope })).text;
    let turn = 0;
    // What one server was told, the next one is asked.
    const call: Call = (path, options = {}) => {
      turn += 1;
      const port = servers[turn % servers.length]?.port ?? 0;
      return callUrl(`http://127.0.0.1:${String(port)}${path}`, options);
    };
    const routes = await routesOf({ call, key });
    expect(routes.length).toBeGreaterThan(40);
    const [ours, theirs] = [await key('admin'), await key('admin', 'theirs')];
    await expectTenantsApart({ call, routes, ours, theirs });
    expect(turn).toBeGreaterThan(routes.length);
    await stores.close();
  },
  limitMs,
);
