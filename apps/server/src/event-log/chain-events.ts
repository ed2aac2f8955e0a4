import { isCtxError } from '@ctx/core';
import { appendPuts } from '@ctx/store/backend';
import { liveEventsCollection } from '@ctx/store';
import { maxConflictTries } from '@ctx/store';
import type { WriteOperation } from '@ctx/store/backend';
import type { LiveChange } from './live-event.ts';
import { liveBatch, liveKey } from './live-record.ts';
import type { EventWriter, StampedWrite } from './stamped-write.ts';
import { isTrimmed, type LogPlace, readNewest, trimOperations } from './trim-log.ts';

interface Chain extends LogPlace {
  /** Newest sequence number by tenant, as far as this process knows. */
  readonly newest: Map<string, number>;
}

/** How events are written: the one before must be there, so that the log has no gap. */
async function operationsOf(
  chain: Chain,
  tenantPart: string,
  changes: readonly LiveChange[],
): Promise<WriteOperation[]> {
  const newest = chain.newest.get(tenantPart) ?? (await readNewest(chain, tenantPart));
  chain.newest.set(tenantPart, newest);
  const collection = liveEventsCollection.name;
  const key = liveKey(tenantPart, newest);
  const checks: WriteOperation[] =
    newest === 0 ? [] : [{ type: 'check', collection, key, expectVersion: 1 }];
  const after = newest + changes.length;
  const old = isTrimmed(newest, after) ? await trimOperations(chain, tenantPart, after) : [];
  return [...checks, ...appendPuts(liveBatch(tenantPart, changes), newest), ...old];
}

/** Reads anew what other processes may have appended. Gives whether they have. */
async function catchUp(chain: Chain, { changes }: StampedWrite): Promise<boolean> {
  let isBehind = false;
  for (const tenantPart of changes.keys()) {
    const newest = await readNewest(chain, tenantPart);
    if (chain.newest.get(tenantPart) !== newest) isBehind = true;
    chain.newest.set(tenantPart, newest);
  }
  return isBehind;
}

async function writeOnce(chain: Chain, { operations, options, changes }: StampedWrite) {
  const events: WriteOperation[] = [];
  for (const [tenantPart, list] of changes) {
    events.push(...(await operationsOf(chain, tenantPart, list)));
  }
  await chain.backend.write([...operations, ...events], options);
  for (const [tenantPart, list] of changes) {
    chain.newest.set(tenantPart, (chain.newest.get(tenantPart) ?? 0) + list.length);
  }
}

/**
 * Writes events where this process gives them their numbers: each names the one before, and where another process was faster it
 * tries again. Cost: a record for each event, and a check of the one before.
 */
export function chainingWriter(place: LogPlace): EventWriter {
  const chain: Chain = { ...place, newest: new Map() };
  return async (write) => {
    for (let tries = 1; ; tries += 1) {
      try {
        await writeOnce(chain, write);
        return;
      } catch (error) {
        const isConflict = isCtxError(error, 'CTX_STORE_CONFLICT');
        // The caller's own conflict, unless another process has appended meanwhile.
        if (!isConflict || tries >= maxConflictTries || !(await catchUp(chain, write))) throw error;
      }
    }
  };
}
