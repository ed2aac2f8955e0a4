import { fingerprintText } from '@ctx/core/encoding';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyService, IdempotentRequest } from '../idempotency/idempotency-service.ts';
import { problem } from '../problems/problem.ts';
import type { TenantStores } from '../tenants/open-tenants.ts';
import { callerOf } from './caller.ts';

/** A request that names itself, and is being worked on. */
export interface IdempotentCall {
  readonly service: IdempotencyService;
  readonly request: IdempotentRequest;
}

/** Headers that belong to an answer that is given again. */
const keptHeaders = ['content-type', 'etag', 'location'] as const;

/** Largest answer that is kept, characters. One that is larger is not given again: the name is given back. */
const maxKeptCharacters = 8 * 1_048_576;

function nameOf(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined || request.method !== 'POST') return undefined;
  if (typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given)) return given;
  throw problem(422, 'Idempotency-Key must be 1 to 200 visible characters.');
}

/** Claims the name of a request that has one, and answers what was answered before. Throws: 409, 422. */
export async function claimIdempotent(
  stores: TenantStores,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const name = nameOf(request);
  if (name === undefined) return undefined;
  const { keyId, tenant } = callerOf(request);
  const service = stores.idempotency(tenant);
  const requestHash = fingerprintText(JSON.stringify([request.url, request.bodyText ?? '']));
  const named: IdempotentRequest = { keyId, name, requestHash };
  const claim = await service.claim(named);
  if (claim.state === 'new') request.idempotentCall = { service, request: named };
  if (claim.state === 'other') {
    throw problem(422, 'This Idempotency-Key was used for another request.');
  }
  if (claim.state === 'running') {
    throw problem(409, 'The same request is being worked on.', { 'retry-after': '1' });
  }
  if (claim.state !== 'answered') return undefined;
  const { status, headers, body } = claim.answer;
  return reply
    .code(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .serializer((text: string) => text)
    .send(body);
}

/** Keeps the answer of a request that named itself; a failure is forgotten, so that it may be tried again. */
export async function settleIdempotent(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const call = request.idempotentCall;
  if (call === null) return;
  request.idempotentCall = null;
  const isKept =
    reply.statusCode < 300 && typeof payload === 'string' && payload.length <= maxKeptCharacters;
  if (!isKept) {
    await call.service.release(call.request);
    return;
  }
  const headers: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = reply.getHeader(name);
    if (typeof value === 'string') headers[name] = value;
  }
  await call.service.keep(call.request, { status: reply.statusCode, headers, body: payload });
}
