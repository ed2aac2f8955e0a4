import type { ApiKey } from '@ctx/server/records';
import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** A key in a list. */
const keyEntrySchema = z.object({
  id: z.string(),
  tenant: z.string(),
  scope: z.enum(['read', 'write', 'admin']),
  label: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** ISO 8601; missing where it does not expire. */
  expiresAt: z.string().exactOptional(),
  /** ISO 8601. */
  revokedAt: z.string().exactOptional(),
  /** Requests a minute, if the key has a rate of its own. */
  requestsPerMinute: z.int().exactOptional(),
  /** Day on which it was used last, UTC. */
  lastUsedDay: z.string().exactOptional(),
});

export type KeyEntry = Answer<typeof keyEntrySchema>;

/** What `ctx keys --json` answers. */
export const keysAnswerSchema = z.object({
  store: z.string(),
  /** The keys; with `create` and `revoke` the one. */
  keys: z.array(keyEntrySchema),
  /** With `create`: the key itself, told this once. */
  text: z.string().exactOptional(),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
});

export type KeysAnswer = Answer<typeof keysAnswerSchema>;

/** Makes the entry of a key. */
export function keyEntryOf({ id, tenant, scope, label, ...key }: ApiKey): KeyEntry {
  const { createdAt, expiresAt, revokedAt, requestsPerMinute, lastUsedDay } = key;
  return {
    id,
    tenant,
    scope,
    label,
    createdAt: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: new Date(revokedAt).toISOString() }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(lastUsedDay === undefined ? {} : { lastUsedDay }),
  };
}
