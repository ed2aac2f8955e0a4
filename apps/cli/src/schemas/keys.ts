import type { ApiKey } from '@ctx/server/records';
import { z } from 'zod';

/** A key in a list. */
export interface KeyEntry {
  readonly id: string;
  readonly tenant: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly label: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; missing where it does not expire. */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
  /** Day on which it was used last, UTC. */
  readonly lastUsedDay?: string;
}

/** What `ctx keys --json` answers. */
export interface KeysAnswer {
  readonly store: string;
  /** The keys; with `create` and `revoke` the one. */
  readonly keys: readonly KeyEntry[];
  /** With `create`: the key itself, told this once. */
  readonly text?: string;
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
}

const keyEntrySchema: z.ZodType<KeyEntry> = z.object({
  id: z.string(),
  tenant: z.string(),
  scope: z.enum(['read', 'write', 'admin']),
  label: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().exactOptional(),
  revokedAt: z.string().exactOptional(),
  lastUsedDay: z.string().exactOptional(),
});

export const keysAnswerSchema: z.ZodType<KeysAnswer> = z.object({
  store: z.string(),
  keys: z.array(keyEntrySchema),
  text: z.string().exactOptional(),
  next: z.string().exactOptional(),
});

/** Makes the entry of a key. */
export function keyEntryOf({ id, tenant, scope, label, ...key }: ApiKey): KeyEntry {
  const { createdAt, expiresAt, revokedAt, lastUsedDay } = key;
  return {
    id,
    tenant,
    scope,
    label,
    createdAt: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: new Date(revokedAt).toISOString() }),
    ...(lastUsedDay === undefined ? {} : { lastUsedDay }),
  };
}
