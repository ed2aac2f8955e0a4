import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { limitCalls } from '../limits/limit-calls.ts';
import { problem } from '../problems/problem.ts';
import type { ServerLimits, ServerOptions } from '../server-options.ts';
import { type AddressRules, checkAddress, loopbackRules } from './address-guard.ts';
import { bearerOf, callerOfKey, checkScope, localCaller, noKey } from './caller.ts';
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

/**
 * Puts the guards before every route, in this order: the address, the key and its scope, the rate, the encoding.
 * Contract: a route without a scope is for nobody.
 */
export function guardRequests(app: App, options: ServerOptions, limits: ServerLimits): void {
  const rules = addressRulesOf(app, options);
  const always = securityHeaders();
  const calls = limitCalls(options.stores.budgets, limits);
  const refuse = async (request: FastifyRequest): Promise<never> => {
    await calls.countRefusal(request);
    throw noKey();
  };
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(always);
    checkAddress(request, rules());
    const { scope, isSocket = false } = request.routeOptions.config;
    // A WebSocket sends its key as first message; a plain request to the same address in the header.
    if (scope === 'open' || (isSocket && request.ws)) return calls.count(request, reply);
    const caller =
      options.access === 'none'
        ? localCaller
        : await callerOfKey(options.stores, bearerOf(request.headers.authorization));
    if (caller === undefined) return refuse(request);
    request.caller = caller;
    checkScope(caller, scope ?? (request.is404 ? 'read' : 'admin'));
    await calls.count(request, reply);
    if (isCompressed(request)) throw problem(415, 'Compressed bodies are not taken.');
    return undefined;
  });
}
