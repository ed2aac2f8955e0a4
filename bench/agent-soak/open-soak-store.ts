import { join } from 'node:path';
import { randomIds } from '@ctx/core';
import { type ContextStore, purges } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';
import type { SoakPlace } from './soak-messages.ts';

/** The agent that works. */
export const soakAgent = 'ada';

/** The name of a session, by its number. */
export function soakSession(number: number): string {
  return `soak-${String(number)}`;
}

/** The store of a run; nothing is open yet. */
export function soakBackend({ store, place, schema }: SoakPlace): StoreBackend {
  if (store === 'files') return fsBackend({ path: join(place, 'files') });
  if (store === 'sqlite') return sqliteBackend({ path: join(place, 'ctx.db') });
  return postgresBackend({ url: place, schema, maxConnections: 4 });
}

/** Ends the purges that were begun, by this process or one that was killed. */
export async function endPurges(backend: StoreBackend, store: ContextStore): Promise<void> {
  const place = { backend, tenant: store.tenant, clock: store.clock, worker: randomIds()() };
  for (const { id, endedAt } of await purges.list(place)) {
    if (endedAt === undefined) await purges.work(place, id);
  }
}
