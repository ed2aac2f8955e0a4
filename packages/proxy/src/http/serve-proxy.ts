import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { type WindowMode, windowPolicy } from '@ctx/truncation';
import { createProxy, type Proxy } from '../proxy.ts';
import { proxyListeners, refuseUpgrade } from './listener.ts';
import { keepHeapSmall } from './small-heap.ts';
import type { Upstreams } from './upstreams.ts';

/** How a proxy serves. */
export interface ProxyServing {
  readonly store: ContextStore;
  /** Default 0: a free one. */
  readonly port?: number;
  /** `watch` changes nothing and only counts. Default: that of the window. */
  readonly policy?: WindowMode | 'watch';
  /** Whether the model gets a tool to read back with. Default false: it has a shell with `ctx`. */
  readonly tool?: boolean;
  /** Share of new conversations that go out as the agent writes them. Default 0. */
  readonly holdout?: number;
  readonly onFailure?: (line: string, error: unknown) => void;
  /** Whether the process is there for this proxy alone: then its heap is kept small. Default false. */
  readonly ownsProcess?: boolean;
}

/** A proxy that listens to this machine. */
export interface ServingProxy {
  readonly proxy: Proxy;
  /** With the token. */
  readonly url: string;
  readonly port: number;
  /** Where requests go. Set it before the first one comes. */
  upstreams: Upstreams | undefined;
  stop(): Promise<void>;
}

/**
 * Listens on loopback with a token created for this run.
 * @throws `CTX_INVALID_INPUT` if the port is taken.
 */
export async function serveProxy(options: ProxyServing): Promise<ServingProxy> {
  const serving: ProxyServing = { ...options };
  const { store, port: wanted = 0, policy = 'default', tool = false, holdout = 0 } = serving;
  const shaping = policy === 'watch' ? { watch: true } : { policy: windowPolicy(policy) };
  const failing = serving.onFailure === undefined ? {} : { onFailure: serving.onFailure };
  const proxy = createProxy({ store, tool, holdout, ...failing, ...shaping });
  const token = randomBytes(18).toString('base64url');
  const server = createServer((request, response) => {
    const { upstreams } = served;
    if (upstreams === undefined) response.destroy();
    else proxyListeners({ proxy, token, upstreams }).request(request, response);
  });
  server.requestTimeout = 0;
  // A tool of the agent takes longer than Node's five seconds, and its next request may come while the connection is being closed.
  server.keepAliveTimeout = 0;
  server.on('upgrade', refuseUpgrade);
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    throw new CtxError('CTX_INVALID_INPUT', `port ${String(wanted)} cannot be used`, { cause });
  });
  const letHeapGrow = serving.ownsProcess === true ? keepHeapSmall() : undefined;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : wanted;
  const served: ServingProxy = {
    proxy,
    port,
    url: `http://127.0.0.1:${String(port)}/t/${token}`,
    upstreams: undefined,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await proxy.close();
      letHeapGrow?.();
    },
  };
  return served;
}
