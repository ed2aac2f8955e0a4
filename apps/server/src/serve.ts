import { Server } from 'node:net';
import { CtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import { createServer } from './create-server.ts';
import { boundedCounter } from './limits/bounded-counter.ts';
import { addressesOf } from './listen-addresses.ts';
import type { ServedApp } from './served-app.ts';
import { defaultServerLimits, type ServerOptions } from './server-options.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { type OpenTenantsOptions, openTenants, type TenantStores } from './tenants/open-tenants.ts';

/** What is served, and where. */
export interface ServeOptions
  extends OpenTenantsOptions,
    Omit<ServerOptions, 'stores' | 'metrics' | 'clock' | 'addresses'> {
  readonly backend: StoreBackend;
  /** Only addresses of this machine where no key is needed. Default 127.0.0.1. */
  readonly host?: string;
  /** 0 for a free one. Default 4777. */
  readonly port?: number;
  /** How clients call the server beside the loopback's names and `host`: `name` or `name:port`. */
  readonly names?: readonly string[];
}

/** A server that listens. */
export interface ServingServer {
  /** Such as `http://127.0.0.1:4777`. */
  readonly url: string;
  readonly port: number;
  readonly stores: TenantStores;
  /**
   * Stops without dropping a request: says so to who keeps a connection, goes on for `drainMs`, sends live connections elsewhere,
   * answers what is under way, then closes the stores. Only a request that is not all there after `stopMs` is cut off.
   * Safe to call twice.
   */
  stop(): Promise<void>;
}

/** The port of a server that was not told one. */
export const defaultPort: number = 4777;

/** How long connections that are kept have for a last request, which tells them that they end, ms. */
const farewellMs = 500;
const lookEveryMs = 20;

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

function checkHost({ host = '127.0.0.1', access = 'keys' }: ServeOptions): string {
  if (access === 'keys' || loopback.has(host)) return host;
  throw new CtxError('CTX_NOT_ALLOWED', `without keys only this machine is served, not ${host}`);
}

function openConnections({ server }: ServedApp): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => {
      resolve(count);
    });
  });
}

/**
 * Accepts no new request, and waits for those that run. The server's own `close` would cut off connections whose request is on its way.
 */
async function seeOut(app: ServedApp): Promise<void> {
  Server.prototype.close.call(app.server);
  const looks = Math.ceil(farewellMs / lookEveryMs);
  for (let look = 0; look < looks && (await openConnections(app)) > 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Waits for the answers that are owed; a request that does not come to its end is not waited for longer than `stopMs`. */
async function closeApp(app: ServedApp, stopMs: number): Promise<void> {
  const cutOff = setTimeout(() => {
    app.server.closeAllConnections();
  }, stopMs);
  try {
    await app.close();
  } catch (error) {
    // It does not listen any more: that was the point.
    const isOver = error instanceof Error && 'code' in error;
    if (!isOver || error.code !== 'ERR_SERVER_NOT_RUNNING') throw error;
  } finally {
    clearTimeout(cutOff);
  }
}

/** The stores, whose counter never blocks for long. Without one, core's estimate counts, which needs no bound. */
function openStores(
  backend: StoreBackend,
  options: Omit<ServeOptions, 'backend' | 'port'>,
): Promise<TenantStores> {
  const { tokenCounter, limits } = options;
  const { exactCountLength } = { ...defaultServerLimits, ...limits };
  return openTenants(backend, {
    gather: loopTurn,
    ...options,
    ...(tokenCounter && { tokenCounter: boundedCounter(tokenCounter, exactCountLength) }),
  });
}

/** Resolves after the loop's look at the network. */
function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function failedToListen(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return new CtxError('CTX_INVALID_INPUT', `port ${String(port)} is taken; name another`);
}

/**
 * Opens a backend and serves it.
 * The backend belongs to the server from here on, also where it fails.
 * @throws `CTX_NOT_ALLOWED`, `CTX_INVALID_INPUT` for a port that is taken; as `openTenants`.
 */
export async function serve(options: ServeOptions): Promise<ServingServer> {
  const { backend, port = defaultPort, names = [], ...rest } = options;
  const host = checkHost(options);
  const addresses = addressesOf({ host, port, names });
  const metrics = createMetrics();
  const stores = await openStores(metrics.metered(backend), rest);
  const { app, announceStop, endLive } = await createServer({
    ...rest,
    ...(addresses && { addresses }),
    stores,
    metrics,
  });
  const { drainMs, stopMs } = { ...defaultServerLimits, ...rest.limits };
  try {
    // Loads what the counter counts with: an agent's first request would wait for it.
    if (rest.proxy !== undefined) rest.tokenCounter?.('.');
    const url = await app.listen({ host, port });
    let stopping: Promise<void> | undefined;
    const stopOnce = async (): Promise<void> => {
      // After one turn of the event loop, connections that arrived before are accepted and answered.
      await loopTurn();
      announceStop();
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      endLive();
      await seeOut(app);
      await closeApp(app, stopMs);
      await stores.close();
    };
    return {
      url,
      port: Number(new URL(url).port),
      stores,
      stop: () => (stopping ??= stopOnce()),
    };
  } catch (error) {
    await app.close();
    await stores.close();
    throw failedToListen(error, port);
  }
}
