import type { ContextItem, ItemSummary } from '@ctx/core';
import { CtxError, isCtxError } from '@ctx/core';
import type { StoredRecord } from '../../backend/store-backend.ts';
import { retryOnConflict } from '../../records/retry-on-conflict.ts';
import { actOperations } from '../agent-clock.ts';
import { itemOf, itemPatch, itemSummaryOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import { changeOf, type ItemAction, type ItemChange, planChange } from './plan-change.ts';

/** The error of an id that the agent has no item of, whether another agent has one or not. */
export function noItem(itemId: string): CtxError {
  return new CtxError('CTX_NOT_FOUND', `there is no item ${itemId}`);
}

/** On what condition an item is changed. */
export interface ChangeCondition {
  /**
   * Is called with the item as it is when it is changed, each time that it is read anew. What it throws ends the call, and nothing is
   * written: so no writer comes between the look at an item and its change.
   */
  readonly check?: (item: ItemSummary) => void;
}

/**
 * Does things to one item, all in one write. Reads and writes its columns.
 * @throws `CTX_NOT_FOUND`; what `check` throws.
 */
export function changeItem(
  store: ItemStore,
  [agentId, itemId]: readonly [string, string],
  { actions, check }: ChangeCondition & { readonly actions: readonly ItemAction[] },
): Promise<ItemChange> {
  const { host, collection, heads } = store;
  return retryOnConflict(async () => {
    const record = await collection.get([agentId, itemId], 'columns');
    if (record === undefined) throw noItem(itemId);
    const context = await contextNow(store, agentId);
    const before = itemSummaryOf(record);
    check?.(before);
    const after = actions.reduce((item, action) => planChange(item, action, context), before);
    const patch = itemPatch(collection, { before, after }, record.version);
    if (patch !== undefined) {
      const acts = actions.includes('touch');
      const noted = acts ? actOperations(heads, [agentId, context.clock], context) : [];
      await host.backend.write([...noted, patch]);
    }
    return changeOf(before, after, context);
  });
}

/** The items of records with this access counted, in one write. */
async function countAccesses(
  store: ItemStore,
  agentId: string,
  records: readonly StoredRecord[],
): Promise<ContextItem[]> {
  const context = await contextNow(store, agentId);
  const items = records.map((record) => {
    const before = itemOf(record);
    const { rank, rankedAt, accessCount, lastAccessedAt } = planChange(before, 'touch', context);
    return { before, after: { ...before, rank, rankedAt, accessCount, lastAccessedAt } };
  });
  const patches = items.flatMap((states, at) => {
    const patch = itemPatch(store.collection, states, records[at]?.version ?? 0);
    return patch === undefined ? [] : [patch];
  });
  const noted = actOperations(store.heads, [agentId, context.clock], context);
  if (patches.length > 0) await store.host.backend.write([...noted, ...patches]);
  return items.map(({ after }) => after);
}

/**
 * Reads items and counts that as an access of each, in one write; `undefined` for what is not there.
 * Where the store cannot be written they are read all the same.
 */
export async function readAndCount(
  store: ItemStore,
  agentId: string,
  itemIds: readonly string[],
): Promise<(ContextItem | undefined)[]> {
  const keys = itemIds.map((itemId) => [agentId, itemId]);
  if (keys.length === 0) return [];
  const read = () => store.collection.getMany(keys);
  try {
    return await retryOnConflict(async () => {
      const records = await read();
      const found = records.filter((record) => record !== undefined);
      const items = await countAccesses(store, agentId, found);
      let at = 0;
      return records.map((record) => (record === undefined ? undefined : items[at++]));
    });
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_READ_ONLY')) throw error;
    return (await read()).map((record) => record && itemOf(record));
  }
}
