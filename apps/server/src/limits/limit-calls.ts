import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../problems/problem.ts';
import type { BudgetAnswer, CallBudgets } from '../tenants/call-budgets.ts';
import { networkOf } from './network-of.ts';

/** Limits are those of a minute. */
const windowMs = 60_000;

/** Whose name no tenant has: callers without a key are counted here. */
const nobodysTenant = '';

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

function tooMany(detail: string, { resetMs }: BudgetAnswer): Error {
  return problem(429, detail, { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) });
}

/** Counts requests against their limits: those of keys and refusals hold for all servers of a store together. */
export interface CallLimits {
  /** Counts a request, of its key or else of its address. Gives nothing where it is in at once. Throws, or rejects: 429. */
  readonly count: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;
  /** Counts a refusal of an address. Rejects: 429. */
  readonly countRefusal: (request: FastifyRequest) => Promise<void>;
}

/** Makes the counters. Looks at the store for few requests only; see `CallBudgets`. */
export function limitCalls(
  budgets: CallBudgets,
  limits: { readonly requestsPerMinute: number; readonly refusalsPerMinute: number },
): CallLimits {
  const requests = { limit: limits.requestsPerMinute, windowMs };
  // Who needs no key gets no record either: whether the server lives must be told also while the store is away.
  const unnamed = { ...requests, free: requests.limit };
  const refusals = { limit: limits.refusalsPerMinute, windowMs };
  const settle = (reply: FastifyReply, limit: number, answer: BudgetAnswer): void => {
    void reply.header('x-ratelimit-limit', limit);
    void reply.header('x-ratelimit-remaining', answer.remaining);
    void reply.header('x-ratelimit-reset', seconds(answer.resetMs));
    if (!answer.isAdmitted) throw tooMany('This key has sent too many requests.', answer);
  };
  return {
    count: ({ caller, ip }, reply) => {
      const limit = caller?.requestsPerMinute ?? requests.limit;
      const answer =
        caller === null
          ? budgets.take({ tenant: nobodysTenant, name: `address ${networkOf(ip)}` }, unnamed)
          : budgets.take(
              { tenant: caller.tenant, name: `key ${caller.keyId}` },
              { limit, windowMs },
            );
      if (answer instanceof Promise)
        return answer.then((later) => {
          settle(reply, limit, later);
        });
      settle(reply, limit, answer);
      return undefined;
    },
    countRefusal: async ({ ip }) => {
      const who = { tenant: nobodysTenant, name: `refused ${networkOf(ip)}` };
      const answer = await budgets.take(who, refusals);
      if (!answer.isAdmitted)
        throw tooMany('Too many requests from this address were refused.', answer);
    },
  };
}
