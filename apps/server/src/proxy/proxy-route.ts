import { createProxy, defaultUpstreams, serveRequest, type Upstreams } from '@ctx/proxy';
import { windowPolicy } from '@ctx/truncation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { App, ServerContext } from '../app.ts';
import { callerOf } from '../http/caller.ts';
import type { KeyUpstreams } from '../keys/api-key.ts';
import type { ServerProxyOptions } from '../server-options.ts';

type Proxy = ReturnType<typeof createProxy>;

/** Most tenants whose conversations are kept open; the one that rested longest is closed for the next. */
const maxTenants = 100;

/** A team's agents go on in turn: so many characters of their conversations stay in memory, of each tenant. */
const teamOpenCharacters = 2 ** 25;

/** Every method that an agent may use with its provider. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

function upstreamsOf(own: KeyUpstreams = {}, common: Partial<Upstreams> = {}): Upstreams {
  const named = Object.entries(own).map(([name, url]) => [name, new URL(url)] as const);
  return { ...defaultUpstreams, ...common, ...Object.fromEntries(named) };
}

/** The proxy of each tenant, over that tenant's store. */
function tenantProxies({ stores }: ServerContext, { policy }: ServerProxyOptions, log: App['log']) {
  const proxies = new LRUCache<string, Promise<Proxy>>({
    max: maxTenants,
    dispose: (proxy) => void proxy.then((one) => one.close()).catch(() => undefined),
  });
  const open = async (tenant: string): Promise<Proxy> =>
    createProxy({
      store: await stores.store(tenant),
      tool: true, // A shell of theirs does not reach this store.
      openCharacters: teamOpenCharacters,
      ...(policy === 'watch' ? { watch: true } : { policy: windowPolicy(policy ?? 'default') }),
      onFailure: (line, err) => {
        log.warn({ err, tenant }, line);
      },
    });
  return {
    of: (tenant: string): Promise<Proxy> => {
      const known = proxies.get(tenant);
      if (known !== undefined) return known;
      const opening = open(tenant);
      proxies.set(tenant, opening);
      opening.catch(() => proxies.delete(tenant));
      return opening;
    },
    close: async (): Promise<void> => {
      const open = await Promise.allSettled(proxies.values());
      for (const one of open) if (one.status === 'fulfilled') await one.value.close();
    },
  };
}

/** The path after the key, as the provider knows it. The `t` before the key may be written otherwise, as `%74`. */
function pathBehindKey({ url }: FastifyRequest): string {
  return url.replace(/^\/[^/]*\/[^/]*/, '');
}

/**
 * Serves the proxy for agents at `/t/<key>/…`: a key with the scope `write` says whose sessions these are. Bodies pass as they come; the keys
 * of the provider are the agent's own.
 */
export async function proxyRoute(
  app: App,
  context: ServerContext,
  options: ServerProxyOptions,
): Promise<void> {
  const proxies = tenantProxies(context, options, app.log);
  app.addHook('onClose', () => proxies.close());
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { tenant, upstreams } = callerOf(request);
    const proxy = await proxies.of(tenant);
    reply.hijack();
    await serveRequest(
      { proxy, upstreams: upstreamsOf(upstreams, options.upstreams) },
      { path: pathBehindKey(request), incoming: request.raw, response: reply.raw },
    );
  };
  await app.register(async (agents) => {
    agents.removeAllContentTypeParsers();
    agents.addContentTypeParser('*', (_request, _payload, done) => {
      done(null);
    });
    // Agents that try a websocket first go on over HTTP.
    agents.addHook('onRequest', async (request, reply) => {
      if (request.ws) await reply.code(426).send();
    });
    agents.route({
      method: [...methods],
      url: '/t/:key/*',
      config: { scope: 'write', isProxied: true },
      schema: { hide: true },
      handler,
    });
  });
}
