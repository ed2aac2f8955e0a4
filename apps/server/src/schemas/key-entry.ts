import { z } from 'zod';
import type { ApiKey } from '../keys/api-key.ts';

/** A key in a list. Times are ISO 8601; what is missing does not end, or was never. */
export const keyEntrySchema = z.object({
  id: z.string(),
  scope: z.enum(['read', 'write', 'admin']),
  label: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().exactOptional(),
  revokedAt: z.string().exactOptional(),
  /** If the key has a rate of its own. */
  requestsPerMinute: z.int().exactOptional(),
  /** UTC. */
  lastUsedDay: z.string().exactOptional(),
});

/** Makes the entry of a key. */
export function keyEntryOf(key: ApiKey): z.infer<typeof keyEntrySchema> {
  const { id, scope, label, createdAt, expiresAt, revokedAt, requestsPerMinute, lastUsedDay } = key;
  return {
    id,
    scope,
    label,
    createdAt: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: new Date(revokedAt).toISOString() }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(lastUsedDay === undefined ? {} : { lastUsedDay }),
  };
}
