import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { type CallLimits, limitCalls } from '../limits/limit-calls.ts';
import { problem } from '../problems/problem.ts';
import type { ServerLimits, ServerOptions } from '../server-options.ts';
import { type AddressRules, checkAddress, checkPath, loopbackRules } from './address-guard.ts';
import { bearerOf, type Caller, callerOfKey, checkScope, localCaller, noKey } from './caller.ts';
import { securityHeaders } from './security-headers.ts';

/** The rules that hold: the ones given, or the loopback's with the port that is listened on. */
export function addressRulesOf(app: App, { addresses }: ServerOptions): () => AddressRules {
  let known = addresses;
  return () => {
    if (known !== undefined) return known;
    const address = app.server.address();
    // Not listening: only requests that a test injects get here.
    if (address === null || typeof address === 'string') return loopbackRules(80);
    known = loopbackRules(address.port);
    return known;
  };
}

function isCompressed({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

function checkEncoding(request: FastifyRequest): void {
  if (request.routeOptions.config.isProxied !== true && isCompressed(request))
    throw problem(415, 'Compressed bodies are not supported.');
}

/** The text of the key that a request bears. */
function keyTextOf({ headers, params, routeOptions }: FastifyRequest): string | undefined {
  if (routeOptions.config.isProxied !== true) return bearerOf(headers.authorization);
  return (params as { readonly key?: string }).key;
}

/** Whether a browser asks for an address that there is not: it gets the page, which says so. */
export function isLostReader({ is404, method, headers }: FastifyRequest): boolean {
  return is404 && method === 'GET' && headers.accept?.includes('text/html') === true;
}

/** Looks at a request: throws, or rejects, where it may not in. Gives nothing where that can be told at once, as nearly always. */
type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

/** Lets in who has a key that is good for the route. */
function guardCallers({ stores, access }: ServerOptions, calls: CallLimits): Guard {
  const refuse = async (request: FastifyRequest): Promise<never> => {
    await calls.countRefusal(request);
    throw noKey();
  };
  return (request, reply) => {
    const letIn = (caller: Caller | undefined): Promise<void> | undefined => {
      if (caller === undefined) return refuse(request);
      request.caller = caller;
      const { scope } = request.routeOptions.config;
      if (scope !== 'open') checkScope(caller, scope ?? (request.is404 ? 'read' : 'admin'));
      const counted = calls.count(request, reply);
      if (counted !== undefined)
        return counted.then(() => {
          checkEncoding(request);
        });
      checkEncoding(request);
      return undefined;
    };
    if (access === 'none') return letIn(localCaller);
    const caller = callerOfKey(stores, keyTextOf(request));
    return caller instanceof Promise ? caller.then(letIn) : letIn(caller);
  };
}

/**
 * Puts the guards before every route, in this order: the address, the key and its scope, the rate, the encoding.
 * A route without a scope refuses every request. A request whose key is remembered waits for nothing.
 */
export function guardRequests(app: App, options: ServerOptions, limits: ServerLimits): void {
  const rules = addressRulesOf(app, options);
  const always = securityHeaders();
  const calls = limitCalls(options.stores.budgets, limits);
  const guardCaller = guardCallers(options, calls);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(always);
    checkAddress(request, rules());
    const { scope, isSocket = false } = request.routeOptions.config;
    // A WebSocket sends its key as first message; a plain request to the same address in the header.
    const isForAll = scope === 'open' || isLostReader(request);
    // What answers everybody takes no name from the path: a browser gets the page, which says what it does not find.
    if (!isForAll) checkPath(request.raw.url ?? '');
    const isOpen = isForAll || (isSocket && request.ws);
    const guarded = isOpen ? calls.count(request, reply) : guardCaller(request, reply);
    if (guarded === undefined) done();
    else
      guarded.then(() => {
        done();
      }, done);
  });
}
