import { isCtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { retryOnConflict } from '@ctx/store';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { App } from '../app.ts';
import type {
  IdempotencyService,
  IdempotentRequest,
  KeptAnswer,
} from '../idempotency/idempotency-service.ts';
import { problem } from '../problems/problem.ts';
import type { HeldTenant } from '../tenants/hold-tenant.ts';
import type { TenantStores } from '../tenants/open-tenants.ts';
import { createSessionWindows } from '../windows/session-windows.ts';
import { callerOf } from './caller.ts';

/** Headers that belong to an answer that is given again. */
const keptHeaders = ['content-type', 'etag', 'location'] as const;

const usualType = 'application/json; charset=utf-8';

function nameOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given)) return given;
  throw problem(422, 'Idempotency-Key must be 1 to 200 visible characters.');
}

/** One request that names itself. */
interface NamedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly named: IdempotentRequest;
  readonly service: IdempotencyService;
  readonly hold: () => Promise<HeldTenant>;
  /** What the route does. */
  readonly work: () => unknown;
}

/** What came of one try. */
type Outcome =
  | { readonly type: 'done' | 'replayed'; readonly answer: KeptAnswer }
  | { readonly type: 'failed'; readonly error: unknown };

/**
 * What was answered before, if anything.
 * @throws 422.
 */
async function keptAnswer({ service, named }: NamedCall): Promise<KeptAnswer | number> {
  const known = await service.find(named);
  if (known.state === 'answered') return known.answer;
  if (known.state === 'new') return known.version;
  throw problem(422, 'This Idempotency-Key was used for a different request.');
}

function answerOf(reply: FastifyReply, payload: unknown): KeptAnswer {
  const headers: Record<string, string> = { 'content-type': usualType };
  for (const name of keptHeaders) {
    const value = reply.getHeader(name);
    if (typeof value === 'string') headers[name] = value;
  }
  const body = reply.serialize(payload);
  if (typeof body !== 'string') throw new TypeError('an answer of a POST route must be JSON');
  return { status: reply.statusCode, headers, body };
}

/**
 * Runs the route over a store whose writes wait, then writes them with the answer.
 * @throws `CTX_STORE_CONFLICT` only of that write.
 */
async function workOnce(call: NamedCall): Promise<Outcome> {
  const { request, reply, service, named } = call;
  const known = await keptAnswer(call);
  if (typeof known !== 'number') return { type: 'replayed', answer: known };
  for (const name of keptHeaders) void reply.removeHeader(name);
  const held = await call.hold();
  const windows = createSessionWindows();
  request.held = { store: held.store, keys: held.keys, windows };
  let answer: KeptAnswer;
  try {
    answer = answerOf(reply, await call.work());
  } catch (error) {
    return { type: 'failed', error };
  } finally {
    await windows.close();
    request.held = null;
  }
  await held.commit([service.answerPut(named, answer, known)]);
  return { type: 'done', answer };
}

/** A request that failed because the same one was answered meanwhile is answered as that one was. */
async function workOrReplay(call: NamedCall): Promise<Outcome> {
  const outcome = await retryOnConflict(() => workOnce(call));
  if (outcome.type !== 'failed' || !isCtxError(outcome.error)) return outcome;
  const known = await keptAnswer(call);
  return typeof known === 'number' ? outcome : { type: 'replayed', answer: known };
}

async function answerNamed(call: NamedCall): Promise<string> {
  const outcome = await workOrReplay(call);
  if (outcome.type === 'failed') throw outcome.error;
  const { status, headers, body } = outcome.answer;
  void call.reply.code(status).headers(headers);
  if (outcome.type === 'replayed') void call.reply.header('idempotency-replayed', 'true');
  void call.reply.serializer((text: string) => text);
  return body;
}

/**
 * Lets POST requests name themselves by an Idempotency-Key. What such a request writes waits until it is answered; then work and answer are
 * one write, which conflicts if the same request was answered meanwhile. So each is done once, whatever dies and whenever, and a retry
 * does not wait for another request. Register it before the routes.
 */
export function addIdempotency(app: App, stores: TenantStores): void {
  app.decorateRequest('held', null);
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return;
    const work: RouteHandlerMethod = route.handler;
    route.handler = function (request, reply) {
      const name = nameOf(request);
      if (name === undefined) return work.call(this, request, reply);
      const { keyId, tenant } = callerOf(request);
      const requestHash = fingerprintText(JSON.stringify([request.url, request.bodyText ?? '']));
      return answerNamed({
        request,
        reply,
        named: { keyId, name, requestHash },
        service: stores.idempotency(tenant),
        hold: () => stores.hold(tenant),
        work: () => work.call(this, request, reply),
      });
    };
  });
}
