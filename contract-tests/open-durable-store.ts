import { join } from 'node:path';
import type { ContextStore } from '@ctx/store';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';

/** Stores that outlive their process. */
export const durableKinds = ['fs', 'sqlite'] as const;

export type DurableKind = (typeof durableKinds)[number];

/** Opens a store in a folder. */
export function openDurableStore(kind: DurableKind, folder: string): Promise<ContextStore> {
  if (kind === 'fs') return openFsStore({ path: join(folder, 'store') });
  return openSqliteStore({ path: join(folder, 'ctx.db') });
}
