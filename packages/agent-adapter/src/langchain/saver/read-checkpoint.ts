import { CtxError } from '@ctx/core';
import type { StoredRecord } from '@ctx/store/backend';
import { type CheckpointPlace, configOf } from './checkpoint-place.ts';
import { type CheckpointBody, readCheckpointBody, readDumped } from './checkpoint-record.ts';
import { loadValue } from './dumped-value.ts';
import type {
  CheckpointShape,
  PendingWriteShape,
  SerializerShape,
  TupleShape,
  VersionShape,
} from './host-types.ts';
import { readWrites } from './pending-writes.ts';
import type { SaverHost } from './saver-host.ts';
import { joinParts } from './value-parts.ts';

/** What reading checkpoints needs. */
export interface CheckpointReader {
  readonly host: SaverHost;
  readonly serde: SerializerShape;
}

/** The channel in which LangGraph kept what was sent to tasks, in checkpoints of forms before 4. */
const tasksChannel = '__pregel_tasks';

/** The first form that keeps what was sent to tasks in a value. */
const formWithTasks = 4;

/** The place of a checkpoint's record. */
export function placeOf({ key }: StoredRecord): CheckpointPlace {
  const [threadId = '', namespace = '', checkpointId = ''] = key;
  return { threadId, namespace, checkpointId };
}

async function readValues(
  { host, serde }: CheckpointReader,
  { threadId, namespace }: CheckpointPlace,
  { values }: CheckpointBody,
): Promise<Record<string, unknown> | undefined> {
  const keys = values.flatMap(({ channel, whole, parts = [] }) =>
    (whole === undefined ? parts.map(({ fingerprint }) => fingerprint) : [whole]).map((print) => [
      ...[threadId, namespace, channel, print],
    ]),
  );
  const records = await host.parts.getMany(keys);
  if (records.includes(undefined)) return undefined;
  const read = records.filter((record) => record !== undefined);
  const found: [string, unknown][] = [];
  let at = 0;
  for (const { channel, whole, parts = [] } of values) {
    const own = read.slice(at, (at += whole === undefined ? parts.length : 1));
    const [first] = own;
    const dumped =
      whole === undefined || first === undefined
        ? { type: 'json', content: joinParts(own.map(({ body }) => body)) }
        : readDumped(first);
    found.push([channel, await loadValue(serde, dumped)]);
  }
  return Object.fromEntries(found);
}

function laterVersion(one: VersionShape, other: VersionShape): VersionShape {
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other);
  return String(one).localeCompare(String(other)) >= 0 ? one : other;
}

/** Puts what was sent to tasks into the values, as LangGraph's own savers do for checkpoints of old forms. */
async function withSends(
  { host, serde }: CheckpointReader,
  checkpoint: CheckpointShape,
  parent: CheckpointPlace,
): Promise<CheckpointShape> {
  const writes = await readWrites(host, serde, parent);
  const sends = writes.flatMap(([, channel, value]) => (channel === tasksChannel ? [value] : []));
  const versions = Object.values(checkpoint.channel_versions);
  const version = versions.length === 0 ? 1 : versions.reduce(laterVersion);
  return {
    ...checkpoint,
    channel_values: { ...checkpoint.channel_values, [tasksChannel]: sends },
    channel_versions: { ...checkpoint.channel_versions, [tasksChannel]: version },
  };
}

interface WholeCheckpoint {
  readonly checkpoint: CheckpointShape;
  readonly metadata: unknown;
  readonly pendingWrites: PendingWriteShape[];
}

async function readWhole(
  reader: CheckpointReader,
  record: StoredRecord,
): Promise<WholeCheckpoint | undefined> {
  const { host, serde } = reader;
  const place = placeOf(record);
  const body = readCheckpointBody(record);
  const channel_values = await readValues(reader, place, body);
  if (channel_values === undefined) return undefined;
  // The saver dumped it: a checkpoint without its values.
  const plain = (await loadValue(serde, body.checkpoint)) as CheckpointShape;
  const parentId = record.columns['parent_id'];
  const bare = { ...plain, channel_values };
  const isOld = body.form < formWithTasks && typeof parentId === 'string';
  const parent = { ...place, checkpointId: String(parentId) };
  return {
    checkpoint: isOld ? await withSends(reader, bare, parent) : bare,
    metadata: await loadValue(serde, body.metadata),
    pendingWrites: await readWrites(host, serde, place),
  };
}

/**
 * Reads a checkpoint with all that belongs to it; `undefined` where it was removed meanwhile. Reads its parts and its writes.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readCheckpoint(
  reader: CheckpointReader,
  record: StoredRecord,
): Promise<TupleShape | undefined> {
  const place = placeOf(record);
  const whole = await readWhole(reader, record);
  if (whole === undefined) {
    const still = await reader.host.checkpoints.get(record.key, 'columns');
    if (still === undefined) return undefined;
    const name = record.key.join(' / ');
    throw new CtxError('CTX_STORE_CORRUPT', `parts of checkpoint ${name} are missing`);
  }
  const parentId = record.columns['parent_id'];
  const tuple: TupleShape = { config: configOf(place), ...whole };
  if (typeof parentId !== 'string') return tuple;
  return { ...tuple, parentConfig: configOf({ ...place, checkpointId: parentId }) };
}
