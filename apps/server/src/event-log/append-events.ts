import type { WriteOperation, WriteOptions } from '@ctx/store/backend';
import { liveBatch } from './live-record.ts';
import type { EventWriter } from './stamped-write.ts';
import { isTrimmed, type LogPlace, readNewest, trimOperations } from './trim-log.ts';

/**
 * Writes events where the backend gives them their numbers: processes that write to one log wait for each other as long as the store
 * takes to commit, and none of them has to try again. Writes a record for each event, and looks now and then for what is too old.
 */
export function appendingWriter(place: LogPlace): EventWriter {
  /** By tenant: the newest number when this process first wrote, and what it has written since. */
  const counts = new Map<string, number>();
  const oldOf = async (tenantPart: string, more: number): Promise<WriteOperation[]> => {
    const before = counts.get(tenantPart) ?? (await readNewest(place, tenantPart));
    counts.set(tenantPart, before + more);
    if (!isTrimmed(before, before + more)) return [];
    return trimOperations(place, tenantPart, await readNewest(place, tenantPart));
  };
  return async ({ operations, options, changes }) => {
    const appends: NonNullable<WriteOptions['appends']>[number][] = [];
    const old: WriteOperation[] = [];
    for (const [tenantPart, list] of changes) {
      appends.push(liveBatch(tenantPart, list));
      old.push(...(await oldOf(tenantPart, list.length)));
    }
    await place.backend.write([...operations, ...old], { ...options, appends });
  };
}
