import type { StoredRecord } from '@ctx/store/backend';
import { isSameValue } from '../../context-manager/history/compare-messages.ts';
import { placeIn } from './checkpoint-place.ts';
import { readCheckpointBody } from './checkpoint-record.ts';
import { loadValue } from './dumped-value.ts';
import type { ConfigShape, ListOptionsShape, TupleShape } from './host-types.ts';
import { type CheckpointReader, readCheckpoint } from './read-checkpoint.ts';

type CheckpointScan = Parameters<CheckpointReader['host']['checkpoints']['scan']>[0];

/** The checkpoint that a config names, or the newest of its thread. */
export async function findGraphCheckpoint(
  reader: CheckpointReader,
  config: ConfigShape,
): Promise<TupleShape | undefined> {
  const { checkpoints } = reader.host;
  const { threadId, namespace = '', checkpointId } = placeIn(config);
  if (threadId === undefined) return undefined;
  if (checkpointId !== undefined) {
    const record = await checkpoints.get([threadId, namespace, checkpointId]);
    return record && readCheckpoint(reader, record);
  }
  const newest = { index: 'key', equal: [threadId, namespace], descending: true } as const;
  for await (const record of checkpoints.scan(newest)) {
    const tuple = await readCheckpoint(reader, record);
    if (tuple !== undefined) return tuple;
  }
  return undefined;
}

/** The scan that gives the fewest records beside those that are asked for, newest first. */
function scanOf(config: ConfigShape, before: string | undefined): CheckpointScan {
  const { threadId, namespace, checkpointId } = placeIn(config);
  const equal = threadId === undefined ? [] : [threadId];
  const range = before === undefined ? {} : { range: { to: before, toExclusive: true } };
  const newest = { ...range, descending: true } as const;
  if (threadId === undefined) return { index: 'by_id', ...newest };
  if (namespace === undefined) return { index: 'by_thread', equal, ...newest };
  if (checkpointId === undefined) return { index: 'key', equal: [...equal, namespace], ...newest };
  return { index: 'key', equal: [...equal, namespace, checkpointId] };
}

function isAskedFor({ key }: StoredRecord, config: ConfigShape, before?: string): boolean {
  const { namespace, checkpointId } = placeIn(config);
  const [, ownNamespace, id = ''] = key;
  if (namespace !== undefined && ownNamespace !== namespace) return false;
  if (checkpointId !== undefined && id !== checkpointId) return false;
  return before === undefined || id < before;
}

async function matches(
  { serde }: CheckpointReader,
  record: StoredRecord,
  filter: ListOptionsShape['filter'],
): Promise<boolean> {
  const wanted = Object.entries(filter ?? {});
  if (wanted.length === 0) return true;
  const metadata = await loadValue(serde, readCheckpointBody(record).metadata);
  if (typeof metadata !== 'object' || metadata === null) return false;
  const members: Readonly<Record<string, unknown>> = { ...metadata };
  return wanted.every(([name, value]) =>
    isSameValue(Object.hasOwn(members, name) ? members[name] : undefined, value),
  );
}

/**
 * The checkpoints that a config and options name, newest first. Reads only the metadata of those that a filter leaves out.
 */
export async function* listCheckpoints(
  reader: CheckpointReader,
  config: ConfigShape,
  { limit = Infinity, before, filter }: ListOptionsShape = {},
): AsyncGenerator<TupleShape> {
  if (limit <= 0) return;
  const beforeId = before === undefined ? undefined : placeIn(before).checkpointId;
  let left = limit;
  for await (const record of reader.host.checkpoints.scan(scanOf(config, beforeId))) {
    if (!isAskedFor(record, config, beforeId)) continue;
    const tuple = (await matches(reader, record, filter))
      ? await readCheckpoint(reader, record)
      : undefined;
    if (tuple === undefined) continue;
    yield tuple;
    left -= 1;
    if (left <= 0) return;
  }
}
