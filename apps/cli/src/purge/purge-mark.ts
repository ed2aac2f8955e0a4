import { randomUUID } from 'node:crypto';
import {
  decodeText,
  encodeText,
  type RecordKey,
  type StoreBackend,
  type WriteOperation,
} from '@ctx/core';
import { z } from 'zod';
import { bodyOf } from '../verify/read-records.ts';
import type { PurgeScope } from './purge-plan.ts';

/** The collection of marks: one stands in the store while a purge runs, and stays where it was cut off. */
export const purgeMarks = 'purges';

/** A purge that was begun and has not ended. */
export interface UnfinishedPurge {
  /** The whole key of its mark. */
  readonly key: RecordKey;
  /** Decoded. */
  readonly tenant: string;
  readonly scope: PurgeScope;
}

const scopeSchema: z.ZodType<PurgeScope> = z.union([
  z.object({ sessions: z.array(z.string()) }),
  z.object({ agent: z.string() }),
  z.object({ before: z.number(), withPinned: z.boolean() }),
  z.object({ all: z.literal(true) }),
]);

/** The writes that begin and end a purge. */
export interface PurgeMark {
  readonly begin: WriteOperation;
  readonly end: WriteOperation;
}

function markOf(key: RecordKey, scope: PurgeScope, now: number): PurgeMark {
  const columns = { started_at: now };
  const body = JSON.stringify(scope);
  return {
    begin: { type: 'put', collection: purgeMarks, key, columns, body },
    end: { type: 'delete', collection: purgeMarks, key },
  };
}

/** The mark of a purge that begins now. */
export function newMark(tenant: string, scope: PurgeScope, now: number): PurgeMark {
  return markOf([encodeText(tenant), randomUUID()], scope, now);
}

/** The mark of a purge that goes on. */
export function sameMark({ key, scope }: UnfinishedPurge, now: number): PurgeMark {
  return markOf(key, scope, now);
}

/** Purges of a tenant, decoded, that were cut off. A mark that cannot be read is left to `ctx verify`. */
export async function unfinishedPurges(
  backend: StoreBackend,
  tenant: string,
): Promise<UnfinishedPurge[]> {
  const found: UnfinishedPurge[] = [];
  const query = { collection: purgeMarks, index: 'key', equal: [encodeText(tenant)] } as const;
  for await (const record of backend.scan(query)) {
    const { success, data: scope } = scopeSchema.safeParse(bodyOf(record)?.value);
    if (success) found.push({ key: record.key, tenant: decodeText(record.key[0] ?? ''), scope });
  }
  return found;
}
