import { retryOnConflict } from '@ctx/store';
import type { StoredRecord, WriteOperation } from '@ctx/store/backend';
import { configOf, placeIn, threadOf } from './checkpoint-place.ts';
import {
  readCheckpointBody,
  type StoredChannel,
  writeCheckpointBody,
} from './checkpoint-record.ts';
import { type Dumper, dumpValue } from './dumped-value.ts';
import type { CheckpointShape, ConfigShape, VersionShape } from './host-types.ts';
import type { SaverHost } from './saver-host.ts';
import {
  type PartName,
  type StoredValues,
  storeValues,
  type ValuesToStore,
} from './store-values.ts';

/** A checkpoint that is to be saved. */
export interface CheckpointToSave {
  readonly config: ConfigShape;
  readonly checkpoint: CheckpointShape;
  readonly metadata: unknown;
  /** The channels that changed, with their versions. */
  readonly changed: Readonly<Record<string, VersionShape>>;
}

/** Where a checkpoint goes. */
interface Target {
  readonly threadId: string;
  readonly namespace: string;
  readonly parentId?: string;
}

/** A checkpoint that the new one rests on. */
interface Base {
  readonly record: StoredRecord;
  readonly values: ReadonlyMap<string, StoredChannel>;
}

function baseOf(record: StoredRecord): Base {
  const { values } = readCheckpointBody(record);
  return { record, values: new Map(values.map((each) => [each.channel, each])) };
}

/** Whether a checkpoint knows a value that the new one has and that did not change. */
function knowsUnchanged({ values }: Base, { checkpoint, changed }: CheckpointToSave): boolean {
  return Object.entries(checkpoint.channel_versions).some(
    ([channel, version]) =>
      !Object.hasOwn(changed, channel) && values.get(channel)?.version === version,
  );
}

/** A copy of a first checkpoint names no parent: the one that it was copied from has its values. */
async function findCopied(
  { checkpoints }: SaverHost,
  { threadId, namespace }: Target,
  toSave: CheckpointToSave,
): Promise<Base | undefined> {
  const { channel_values, channel_versions } = toSave.checkpoint;
  const isUnchanged = (channel: string): boolean => !Object.hasOwn(toSave.changed, channel);
  const channels = Object.keys(channel_versions).filter((channel) =>
    Object.hasOwn(channel_values, channel),
  );
  if (!channels.some(isUnchanged)) return undefined;
  for await (const record of checkpoints.scan({ index: 'key', equal: [threadId, namespace] })) {
    const base = baseOf(record);
    if (knowsUnchanged(base, toSave)) return base;
  }
  return undefined;
}

async function findBase(
  host: SaverHost,
  target: Target,
  toSave: CheckpointToSave,
): Promise<Base | undefined> {
  const { threadId, namespace, parentId } = target;
  if (parentId === undefined) return findCopied(host, target, toSave);
  const record = await host.checkpoints.get([threadId, namespace, parentId]);
  return record && baseOf(record);
}

/** Channels that LangGraph makes from writes. */
function deltasOf(metadata: unknown): string[] {
  if (typeof metadata !== 'object' || metadata === null) return [];
  if (!('counters_since_delta_snapshot' in metadata)) return [];
  return Object.keys(metadata.counters_since_delta_snapshot ?? {});
}

/** Makes the write conflict where one of the parts goes meanwhile; `undefined` where one is gone already. Costs one read. */
async function checksOf(
  { host: { parts }, threadId, namespace }: ValuesToStore,
  rested: readonly PartName[],
): Promise<WriteOperation[] | undefined> {
  if (rested.length === 0) return [];
  const keys = rested.map((name) => [threadId, namespace, ...name]);
  const found = await parts.getMany(keys, 'columns');
  const checks = found.flatMap((record) =>
    record === undefined ? [] : parts.check({ key: record.key, expectVersion: record.version }),
  );
  return checks.length === keys.length ? checks : undefined;
}

/**
 * The values with all that they rest on in its place. A checkpoint before that was deleted and put again bears the version that it had:
 * only its parts tell.
 */
async function valuesInPlace(
  values: ValuesToStore,
): Promise<Pick<StoredValues, 'stored' | 'operations'>> {
  const { stored, rested, operations } = await storeValues(values);
  const checks = await checksOf(values, rested);
  if (checks === undefined) return storeValues({ ...values, mayRest: false });
  return { stored, operations: [...checks, ...operations] };
}

async function saveOnce(
  host: SaverHost,
  dumper: Dumper,
  { target, toSave }: { readonly target: Target; readonly toSave: CheckpointToSave },
): Promise<void> {
  const { threadId, namespace, parentId } = target;
  const { checkpoint, metadata, changed } = toSave;
  const base = await findBase(host, target, toSave);
  // A checkpoint that is put again does not rest on itself: whoever deletes it meanwhile takes its parts.
  const isAgain = base?.record.key[2] === checkpoint.id;
  const { stored, operations } = await valuesInPlace({
    ...{ host, dumper, threadId, namespace, checkpoint },
    changed: new Set(Object.keys(changed)),
    before: base?.values ?? new Map<string, StoredChannel>(),
    mayRest: !isAgain,
    takesUnknown: parentId !== undefined,
  });
  const body = writeCheckpointBody({
    checkpoint: await dumpValue(dumper, { ...checkpoint, channel_values: {} }),
    metadata: await dumpValue(dumper, metadata),
    ...{ values: stored, form: checkpoint.v, deltas: deltasOf(metadata) },
  });
  const columns = { parent_id: parentId ?? null, created_at: host.store.clock(), children: 0 };
  const put = host.checkpoints.put({ key: [threadId, namespace, checkpoint.id], columns, body });
  const resting = base === undefined || isAgain ? [] : [restingOn(host, base)];
  await host.store.records.write([...operations, ...resting, put]);
}

/** Whoever removes the base meanwhile, or has, meets a conflict. */
function restingOn({ checkpoints }: SaverHost, { record }: Base): WriteOperation {
  const { key, version: expectVersion, columns } = record;
  const children = Number(columns['children']) + 1;
  return checkpoints.patch({ key, columns: { children }, expectVersion });
}

/**
 * Saves a checkpoint, and gives the config that names it.
 * @throws `CTX_INVALID_INPUT`, the codes of the store.
 */
export async function saveCheckpoint(
  host: SaverHost,
  dumper: Dumper,
  toSave: CheckpointToSave,
): Promise<ReturnType<typeof configOf>> {
  const place = placeIn(toSave.config);
  const threadId = threadOf(place);
  const { namespace = '', checkpointId: parentId } = place;
  const target = { threadId, namespace, ...(parentId === undefined ? {} : { parentId }) };
  await retryOnConflict(() => saveOnce(host, dumper, { target, toSave }));
  return configOf({ threadId, namespace, checkpointId: toSave.checkpoint.id });
}
