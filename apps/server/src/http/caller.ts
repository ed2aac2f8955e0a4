import type { ContextStore } from '@ctx/store';
import type { FastifyRequest } from 'fastify';
import { type ApiKey, allows, type KeyScope, type KeyUpstreams } from '../keys/api-key.ts';
import { problem } from '../problems/problem.ts';
import type { TenantStores } from '../tenants/open-tenants.ts';

/** Who asks, and for which tenant. */
export interface Caller {
  /** Id of the key; `local` where none is needed. */
  readonly keyId: string;
  readonly tenant: string;
  readonly scope: KeyScope;
  /** As of its key. */
  readonly requestsPerMinute?: number;
  /** Where requests of its agents go, if its key says so. */
  readonly upstreams?: KeyUpstreams;
}

/** Who asks where no key is needed. */
export const localCaller: Caller = { keyId: 'local', tenant: 'default', scope: 'admin' };

/** The text of the key in an Authorization header; `undefined` where there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  const start = 'bearer ';
  if (header?.slice(0, start.length).toLowerCase() !== start) return undefined;
  return header.slice(start.length).trim();
}

function callerWith(key: ApiKey | undefined): Caller | undefined {
  if (key === undefined) return undefined;
  const { id: keyId, tenant, scope, requestsPerMinute, upstreams } = key;
  return {
    ...{ keyId, tenant, scope },
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(upstreams === undefined ? {} : { upstreams }),
  };
}

/** Who a key's text stands for; `undefined` for one that is not good. At once where the key is remembered. */
export function callerOfKey(
  { keys }: Pick<TenantStores, 'keys'>,
  text: string | undefined,
): Caller | undefined | Promise<Caller | undefined> {
  const key = text === undefined ? undefined : keys.verify(text);
  return key instanceof Promise ? key.then(callerWith) : callerWith(key);
}

/** The answer to who has no good key. It does not say what was wrong with it. */
export function noKey(): Error {
  return problem(401, 'Send a key: Authorization: Bearer ctx_…', { 'www-authenticate': 'Bearer' });
}

/** @throws 403. */
export function checkScope({ scope }: Caller, needed: KeyScope): void {
  if (!allows(scope, needed)) throw problem(403, `This needs a key with the scope ${needed}.`);
}

/**
 * Who asks.
 * @throws 401 on a route that forgot to want a key.
 */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw noKey();
  return caller;
}

/** The store of who asks: the only one that a route can reach. */
export function storeOf(stores: TenantStores, request: FastifyRequest): Promise<ContextStore> {
  const { held } = request;
  return held === null ? stores.store(callerOf(request).tenant) : Promise.resolve(held.store);
}
