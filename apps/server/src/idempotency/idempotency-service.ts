import type { Clock } from '@ctx/core';
import { CtxError, isCtxError } from '@ctx/core';
import { accessCollection, idempotencyCollection } from '@ctx/store';
import type { StoreBackend, StoredRecord } from '@ctx/store/backend';
import * as z from 'zod';
import { type AnswerPlace, keepAnswersMs, pruneAnswers } from './prune-answers.ts';

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
export type IdempotentClaim =
  | { readonly state: 'new' }
  /** The same request is being worked on. */
  | { readonly state: 'running' }
  /** The name was used for another request. */
  | { readonly state: 'other' }
  | { readonly state: 'answered'; readonly answer: KeptAnswer };

/** Lets requests that are sent twice work once. Of one tenant. */
export interface IdempotencyService {
  /** Takes the name. Contract: of equal calls at the same moment, also of several processes, one gets `new`. */
  claim(request: IdempotentRequest): Promise<IdempotentClaim>;
  /** Keeps the answer of a request that was claimed. */
  keep(request: IdempotentRequest, answer: KeptAnswer): Promise<void>;
  /** Gives the name back: the request failed in a way that may be tried again. */
  release(request: IdempotentRequest): Promise<void>;
}

/** After so long without an answer the process that worked on a request is taken for dead, ms. */
const leaseMs = 5 * 60 * 1000;
/** Old answers are deleted once in so many claims. */
const pruneEvery = 64;

const answerSchema: z.ZodType<KeptAnswer> = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

function keyOf({ keyId, name }: IdempotentRequest): readonly string[] {
  return [keyId, name];
}

function claimOf(record: StoredRecord, { requestHash }: IdempotentRequest): IdempotentClaim {
  if (record.columns['request_hash'] !== requestHash) return { state: 'other' };
  if (record.columns['status'] === null) return { state: 'running' };
  try {
    return { state: 'answered', answer: answerSchema.parse(JSON.parse(record.body)) };
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a kept answer cannot be read', { cause });
  }
}

function isOver({ columns }: StoredRecord, now: number): boolean {
  const age = now - Number(columns['created_at']);
  return age >= keepAnswersMs || (columns['status'] === null && age >= leaseMs);
}

async function take(
  { backend, collection, clock }: AnswerPlace,
  request: IdempotentRequest,
  expectVersion: number,
): Promise<void> {
  const columns = { created_at: clock(), request_hash: request.requestHash };
  await backend.write([
    collection.put({ key: keyOf(request), columns, body: '{}', expectVersion }),
  ]);
}

/** Two tries: whoever comes too late for the name finds who has it. */
async function claim(records: AnswerPlace, request: IdempotentRequest): Promise<IdempotentClaim> {
  const { collection, clock } = records;
  for (let tries = 1; ; tries += 1) {
    const found = await collection.get(keyOf(request));
    if (found !== undefined && !isOver(found, clock())) return claimOf(found, request);
    try {
      await take(records, request, found?.version ?? 0);
      return { state: 'new' };
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT') || tries > 2) throw error;
    }
  }
}

/** Makes the service over an open backend. Cost: two writes a request; now and then one more for what is too old. */
export function idempotencyService(
  backend: StoreBackend,
  { tenant, clock }: { readonly tenant: string; readonly clock: Clock },
): IdempotencyService {
  const collection = accessCollection(backend, idempotencyCollection, tenant);
  const records: AnswerPlace = { backend, collection, clock };
  let claims = 0;
  return {
    claim: async (request) => {
      claims += 1;
      if (claims % pruneEvery === 0) await pruneAnswers(records);
      return claim(records, request);
    },
    keep: async (request, answer) => {
      const columns = { created_at: clock(), request_hash: request.requestHash };
      const kept = { ...columns, status: answer.status };
      const put = collection.put({
        key: keyOf(request),
        columns: kept,
        body: JSON.stringify(answer),
      });
      await backend.write([put]);
    },
    release: async (request) => {
      await backend.write([collection.remove({ key: keyOf(request) })]);
    },
  };
}
