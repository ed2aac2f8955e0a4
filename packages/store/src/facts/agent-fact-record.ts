import { CtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { searchWords } from '@ctx/relevance';
import * as z from 'zod';
import type { PutOperation, StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import type { AgentFact, AgentFactBody } from './agent-fact.ts';
import { agentFactBodySchema } from './agent-fact.ts';
import { type FactDetail, type FactVector, factVectorSchema, isCurrent } from './fact-detail.ts';
import { normaliseFact } from './normalise-fact.ts';

const idCharacters = 32;

/** The id of a fact: the same for all that say the same. */
export function factIdOf(text: string): string {
  return fingerprintText(normaliseFact(text)).slice(0, idCharacters);
}

function bodyIn(json: string): AgentFactBody | undefined {
  try {
    return agentFactBodySchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/**
 * The fact of a record.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function agentFactOf(record: StoredRecord): AgentFact {
  const { key, columns } = record;
  const body = bodyIn(record.body);
  if (body === undefined) {
    throw new CtxError('CTX_STORE_CORRUPT', `fact ${key.join(' / ')} cannot be read`);
  }
  const { trust } = columns;
  return {
    id: key[1] ?? '',
    agentId: key[0] ?? '',
    ...body,
    source: String(columns['source']),
    trust: trust === 'trusted' || trust === 'derived' ? trust : 'untrusted',
    pinned: columns['pinned'] !== 0,
    createdAt: Number(columns['created_at']),
    updatedAt: Number(columns['updated_at']),
    tokens: Number(columns['tokens']),
  };
}

const vectorOnly = z.object({ detail: z.object({ vector: factVectorSchema }) });

/** The vector in the body of a record, if it has one that can be read. */
export function vectorIn(json: string): { readonly vector?: FactVector } {
  try {
    const body = vectorOnly.safeParse(JSON.parse(json)).data;
    return body === undefined ? {} : { vector: body.detail.vector };
  } catch {
    return {};
  }
}

/** What full text sees of a fact: nothing of one that no longer holds. */
function factWords(fact: AgentFactBody): { readonly text: string } {
  return {
    text: isCurrent(fact)
      ? searchWords(`${fact.text} ${fact.detail?.attribute ?? ''}`).join(' ')
      : '',
  };
}

/** The name of what a fact is about; `null` for one that nothing can take the place of. */
export function slotOf({
  subject,
  attribute,
}: Pick<FactDetail, 'subject' | 'attribute'> = {}): string | null {
  if (subject === undefined || attribute === undefined) return null;
  return fingerprintText(`${normaliseFact(subject)}\n${normaliseFact(attribute)}`).slice(0, 32);
}

/** The same out of a record; none where it cannot be read. */
export function wordsOfFact(record: StoredRecord): Readonly<Record<string, string>> {
  const body = bodyIn(record.body);
  return body === undefined ? {} : { ...factWords(body) };
}

/** Writes a fact over the version it was read in. */
export function agentFactPut(
  collection: CollectionAccess,
  fact: AgentFact,
  expectVersion: number,
): PutOperation {
  const { text, origins, supersedes, detail } = fact;
  const body = { text, origins, supersedes, ...(detail === undefined ? {} : { detail }) };
  return collection.put({
    key: [fact.agentId, fact.id],
    columns: {
      source: fact.source,
      trust: fact.trust,
      pinned: fact.pinned ? 1 : 0,
      created_at: fact.createdAt,
      updated_at: fact.updatedAt,
      tokens: fact.tokens,
      slot: slotOf(detail),
    },
    body: JSON.stringify(body),
    words: factWords(body),
    expectVersion,
  });
}
