import type { WriteOperation } from '../../backend/store-backend.ts';
import type { StoreHost } from '../../store-host.ts';
import {
  type CheckpointPlaces,
  checkpointPlaces,
  newestCheckpoint,
  readHead,
} from '../checkpoint-places.ts';
import { sequenceText } from '../../records/sequence-text.ts';

/** Why a content is kept for checkpoints: its item has another one by now, or is gone. */
export type KeptReason = 'replaced' | 'deleted';

/** Notes that contents of the agent's items changed: a checkpoint that is being made meanwhile begins again. */
async function headOperation(
  { heads, host }: CheckpointPlaces,
  agentId: string,
  head: { readonly version: number },
): Promise<WriteOperation> {
  const columns = { changed_at: host.clock() };
  if (head.version > 0) return heads.patch({ key: [agentId], columns });
  const first = { ...columns, last_sequence: -1, active_at: null, idle_ms: null };
  return heads.put({ key: [agentId], columns: first, body: '{}', expectVersion: 0 });
}

/** Items of one agent that lose their content. */
export interface LeavingContents {
  readonly agentId: string;
  readonly itemIds: readonly string[];
  readonly reason: KeptReason;
}

/** Keeps the whole contents of items, up to the newest checkpoint that may name them. */
export async function keptOperations(
  { items, contents, host }: CheckpointPlaces,
  { agentId, itemIds, reason, until }: LeavingContents & { readonly until: number },
): Promise<WriteOperation[]> {
  if (itemIds.length === 0) return [];
  const records = await items.getMany(itemIds.map((itemId) => [agentId, itemId]));
  return records.flatMap((record) => {
    if (record === undefined) return [];
    const { session_id: session = null } = record.columns;
    const kept = { until_sequence: until, kept_at: host.clock(), reason };
    const columns = { ...kept, session_id: session };
    const key = [...record.key, String(record.columns['fingerprint'])];
    return [contents.put({ key, columns, body: record.body })];
  });
}

/**
 * What has to be written beside a replacement or deletion of items of one agent, in the same write, so that checkpoints can bring
 * their contents back. Where the agent has no checkpoint nothing is kept: what is destroyed then is gone.
 * `CTX_STORE_CONFLICT` from the write means that a checkpoint came between: ask again.
 * Reads two records' columns, and where there is a checkpoint the items' contents.
 */
export async function keepContents(
  host: StoreHost,
  { agentId, itemIds, reason }: LeavingContents,
): Promise<WriteOperation[]> {
  if (itemIds.length === 0) return [];
  const places = checkpointPlaces(host);
  const head = await readHead(places, agentId);
  const newest = head.lastSequence < 0 ? undefined : await newestCheckpoint(places, agentId);
  const changed = await headOperation(places, agentId, head);
  if (newest === undefined) {
    const next = [agentId, sequenceText(head.lastSequence + 1)];
    return [changed, places.checkpoints.check({ key: next, expectVersion: 0 })];
  }
  const leaving = { agentId, itemIds, reason, until: head.lastSequence };
  return [changed, ...(await keptOperations(places, leaving))];
}
