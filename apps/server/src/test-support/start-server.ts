import type { Clock, TokenCounter } from '@ctx/core';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { type CtxServer, createServer } from '../create-server.ts';
import type { KeyScope } from '../keys/api-key.ts';
import type { ServerOptions } from '../server-options.ts';
import { openTenants, type TenantStores } from '../tenants/open-tenants.ts';

/** A server that listens on a free port of the loopback. */
export interface RunningServer extends CtxServer {
  readonly url: string;
  readonly port: number;
  readonly stores: TenantStores;
  /** Text of a new key. */
  readonly key: (scope?: KeyScope, tenant?: string) => Promise<string>;
  /** Calls the server. */
  readonly call: (path: string, options?: CallOptions) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

export interface CallOptions {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls an address. */
export async function callUrl(url: string, options: CallOptions): Promise<Answer> {
  const { method, key, body, headers = {} } = options;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

export interface StartOptions extends Partial<Omit<ServerOptions, 'stores'>> {
  readonly backend?: StoreBackend;
  readonly clock?: Clock;
  readonly keepLiveEvents?: number;
  readonly tokenCounter?: TokenCounter;
}

/** Starts a server over a backend, by default in memory. Its answers are checked against their schemas. */
export async function startServer({
  backend = memoryBackend(),
  keepLiveEvents,
  tokenCounter,
  ...options
}: StartOptions = {}): Promise<RunningServer> {
  const { clock } = options;
  const stores = await openTenants(backend, {
    ...(clock === undefined ? {} : { clock }),
    ...(keepLiveEvents === undefined ? {} : { keepLiveEvents }),
    ...(tokenCounter === undefined ? {} : { tokenCounter }),
  });
  // How busy the machine is that runs the tests is no matter of theirs.
  const limits = { maxLagMs: 0, ...options.limits };
  const server = await createServer({ checkAnswers: true, ...options, limits, stores });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const address = server.app.server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    ...server,
    url,
    port,
    stores,
    key: async (scope = 'write', tenant = 'default') =>
      (await stores.keys.create({ tenant, scope })).text,
    call: (path, callOptions = {}) => callUrl(`${url}${path}`, callOptions),
    stop: async () => {
      await server.app.close();
      await stores.close();
    },
  };
}

/** A member of JSON, by a path such as `item.id`. */
export function at(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

/** The members of a JSON object; none of anything else. */
export function membersOf(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : {};
}
