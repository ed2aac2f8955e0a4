import { isIP } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
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

function addressOf({ ip }: FastifyRequest): string {
  return isIP(ip) === 0 ? 'unknown' : ip;
}

async function addRateLimit(app: App, limits: ServerLimits): Promise<void> {
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => request.caller?.keyId ?? addressOf(request),
    errorResponseBuilder: (_request, { ttl }) =>
      problem(429, 'This key has sent too many requests.', {
        'retry-after': String(Math.ceil(ttl / 1000)),
      }),
  });
}

/**
 * Puts the guards before every route, in this order: the address, the key and its scope, the rate, the encoding.
 * Contract: a route without a scope is for nobody.
 */
export async function guardRequests(
  app: App,
  options: ServerOptions,
  limits: ServerLimits,
): Promise<void> {
  const rules = addressRulesOf(app, options);
  const always = securityHeaders();
  await addRateLimit(app, limits);
  const limitRefusals = app.createRateLimit({
    max: limits.refusalsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `refused ${addressOf(request)}`,
  });
  const refuse = async (request: FastifyRequest): Promise<never> => {
    const limit = await limitRefusals(request);
    if (limit.isAllowed || !limit.isExceeded) throw noKey();
    const seconds = String(limit.ttlInSeconds);
    throw problem(429, 'This address was refused too often.', { 'retry-after': seconds });
  };
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(always);
    checkAddress(request, rules());
    const { scope, isSocket = false } = request.routeOptions.config;
    // A WebSocket sends its key as first message; a plain request to the same address in the header.
    if (scope === 'open' || (isSocket && request.ws)) return;
    const caller =
      options.access === 'none'
        ? localCaller
        : await callerOfKey(options.stores, bearerOf(request.headers.authorization));
    if (caller === undefined) return refuse(request);
    request.caller = caller;
    checkScope(caller, scope ?? (request.is404 ? 'read' : 'admin'));
    if (isCompressed(request)) throw problem(415, 'Compressed bodies are not taken.');
  });
}
