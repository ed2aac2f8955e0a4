import type { Clock } from '@ctx/core';
import { CtxError } from '@ctx/core';
import { accessCollection, collections } from '@ctx/store';
import type { PutOperation, StoreBackend, StoredRecord } from '@ctx/store/backend';
import * as z from 'zod';
import { keepAnswersMs, pruneAnswers } from './prune-answers.ts';

/** A request that names itself. */
export interface IdempotentRequest {
  /** Who asks: names of one caller mean nothing to another. */
  readonly keyId: string;
  /** The name that the caller gave it. */
  readonly name: string;
  /** SHA-256 of method, route and body: what makes it the same request. */
  readonly requestHash: string;
}

/** An answer as it was given. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a request that names itself. */
export type NamedRequestState =
  /** Not answered yet. `version`: what `answerPut` expects of the record in which the answer will be kept. */
  | { readonly state: 'new'; readonly version: number }
  /** The name was used for another request. */
  | { readonly state: 'other' }
  | { readonly state: 'answered'; readonly answer: KeptAnswer };

/** Lets requests that are sent twice work once. Of one tenant. */
export interface IdempotencyService {
  /** Reads what became of the request. */
  find(request: IdempotentRequest): Promise<NamedRequestState>;
  /**
   * Returns the operation that keeps the answer. In one write with the work it makes that write conflict if the request was answered
   * since `find` returned `version`: so the work is done once, even if a process dies.
   */
  answerPut(request: IdempotentRequest, answer: KeptAnswer, version: number): PutOperation;
}

/** Old answers are deleted once in so many looks. */
const pruneEvery = 64;

const answerSchema: z.ZodType<KeptAnswer> = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

function keyOf({ keyId, name }: IdempotentRequest): readonly string[] {
  return [keyId, name];
}

/** A record without a status is a claim of an older version, which kept answers by a second write. */
function isOver({ columns }: StoredRecord, now: number): boolean {
  return columns['status'] === null || now - Number(columns['created_at']) >= keepAnswersMs;
}

function answerOf({ body }: StoredRecord): KeptAnswer {
  try {
    return answerSchema.parse(JSON.parse(body));
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a kept answer cannot be read', { cause });
  }
}

/** Makes the service over an open backend. Costs a read a request, and now and then a write to delete what is too old. */
export function idempotencyService(
  backend: StoreBackend,
  { tenant, clock }: { readonly tenant: string; readonly clock: Clock },
): IdempotencyService {
  const collection = accessCollection(backend, collections.idempotency, tenant);
  let looks = 0;
  return {
    find: async (request) => {
      looks += 1;
      if (looks % pruneEvery === 0) await pruneAnswers({ backend, collection, clock });
      const found = await collection.get(keyOf(request));
      if (found === undefined || isOver(found, clock())) {
        return { state: 'new', version: found?.version ?? 0 };
      }
      if (found.columns['request_hash'] !== request.requestHash) return { state: 'other' };
      return { state: 'answered', answer: answerOf(found) };
    },
    answerPut: (request, answer, version) => {
      const { requestHash: request_hash } = request;
      return collection.put({
        key: keyOf(request),
        columns: { created_at: clock(), request_hash, status: answer.status },
        body: JSON.stringify(answer),
        expectVersion: version,
      });
    },
  };
}
