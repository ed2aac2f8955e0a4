import { retryOnConflict } from '@ctx/store';
import type { StoredRecord, WriteOperation } from '@ctx/store/backend';
import { type CheckpointBody, readCheckpointBody } from './checkpoint-record.ts';
import { type PrunableCheckpoint, type PruneOptions, planPrune } from './plan-prune.ts';
import type { SaverHost } from './saver-host.ts';

/** What a pruning did. */
export interface PruneReceipt {
  readonly checkpoints: number;
  /** Parts of values that nothing holds any more. */
  readonly parts: number;
  readonly writes: number;
}

/** The first form of checkpoints that is read without the one before. */
const standAloneForm = 4;

function prunable(record: StoredRecord, body: CheckpointBody): PrunableCheckpoint {
  const { parent_id: parentId, created_at: createdAt } = record.columns;
  return {
    id: record.key[2] ?? '',
    ...(typeof parentId === 'string' ? { parentId } : {}),
    createdAt: Number(createdAt),
    ...{ values: body.values, deltas: body.deltas, needsParent: body.form < standAloneForm },
  };
}

/** The names of the parts that checkpoints hold. */
function heldBy(checkpoints: readonly PrunableCheckpoint[]): Set<string> {
  const held = new Set<string>();
  for (const { channel, whole, parts = [] } of checkpoints.flatMap(({ values }) => values)) {
    if (whole !== undefined) held.add(JSON.stringify([channel, whole]));
    for (const { fingerprint } of parts) held.add(JSON.stringify([channel, fingerprint]));
  }
  return held;
}

async function unheldParts(
  { parts }: SaverHost,
  [threadId, namespace]: readonly [string, string],
  held: ReadonlySet<string>,
): Promise<WriteOperation[]> {
  const found: WriteOperation[] = [];
  const query = { index: 'key', equal: [threadId, namespace], part: 'columns' } as const;
  for await (const { key, version } of parts.scan(query)) {
    if (held.has(JSON.stringify(key.slice(2)))) continue;
    found.push(parts.remove({ key, expectVersion: version }));
  }
  return found;
}

async function writesOf({ writes }: SaverHost, key: readonly string[]): Promise<WriteOperation[]> {
  const found: WriteOperation[] = [];
  for await (const record of writes.scan({ index: 'key', equal: key, part: 'columns' })) {
    found.push(writes.remove({ key: record.key }));
  }
  return found;
}

async function pruneNamespace(
  host: SaverHost,
  place: readonly [string, string],
  options: PruneOptions,
): Promise<PruneReceipt> {
  const records = new Map<string, StoredRecord>();
  const checkpoints: PrunableCheckpoint[] = [];
  const newest = { index: 'key', equal: place, descending: true } as const;
  for await (const record of host.checkpoints.scan(newest)) {
    const checkpoint = prunable(record, readCheckpointBody(record));
    checkpoints.push(checkpoint);
    records.set(checkpoint.id, record);
  }
  const plan = planPrune(checkpoints, host.store.clock(), options);
  if (plan.leaving.length === 0) return { checkpoints: 0, parts: 0, writes: 0 };
  const staying = new Set(plan.staying);
  const held = heldBy(checkpoints.filter(({ id }) => staying.has(id)));
  const parts = await unheldParts(host, place, held);
  const writes: WriteOperation[] = [];
  const removals: WriteOperation[] = [];
  for (const id of plan.leaving) {
    const version = records.get(id)?.version ?? 0;
    // Whoever builds on it meanwhile changes its version: then nothing is removed, and planned anew.
    removals.push(host.checkpoints.remove({ key: [...place, id], expectVersion: version }));
    writes.push(...(await writesOf(host, [...place, id])));
  }
  await host.store.records.write([...removals, ...parts, ...writes]);
  return { checkpoints: removals.length, parts: parts.length, writes: writes.length };
}

async function namespacesOf({ checkpoints }: SaverHost, threadId: string): Promise<string[]> {
  const tallies = await checkpoints.tally({
    ...{ index: 'key', equal: [threadId], groupBy: ['namespace'] },
  });
  return tallies.map(({ group }) => String(group[0]));
}

/**
 * Removes old checkpoints of a thread, and what only they held.
 * @throws the codes of the store; run again it goes on.
 */
export async function pruneThread(
  host: SaverHost,
  threadId: string,
  options: PruneOptions = {},
): Promise<PruneReceipt> {
  const sum = { checkpoints: 0, parts: 0, writes: 0 };
  for (const namespace of await namespacesOf(host, threadId)) {
    const done = await retryOnConflict(() => pruneNamespace(host, [threadId, namespace], options));
    sum.checkpoints += done.checkpoints;
    sum.parts += done.parts;
    sum.writes += done.writes;
  }
  return sum;
}
