import { CtxError } from '@ctx/core';
import { retryOnConflict } from '@ctx/store';
import { type CheckpointPlace, placeIn, threadOf } from './checkpoint-place.ts';
import { readDumped, writeDumped } from './checkpoint-record.ts';
import { type Dumper, dumpValue, loadValue } from './dumped-value.ts';
import type { ConfigShape, PendingWriteShape, SerializerShape } from './host-types.ts';
import type { SaverHost } from './saver-host.ts';

/** What a task wrote, in order. */
export interface TaskWrites {
  readonly config: ConfigShape;
  readonly writes: readonly (readonly [channel: string, value: unknown])[];
  readonly taskId: string;
  readonly taskPath?: string;
}

/** Channels of LangGraph of which a task has one write, the last. Source: `WRITES_IDX_MAP` of its checkpoint package 1.2.2. */
const fixedPositions: ReadonlyMap<string, number> = new Map([
  ['__error__', -1],
  ['__scheduled__', -2],
  ['__interrupt__', -3],
  ['__resume__', -4],
]);

function checkedPlace(config: ConfigShape): CheckpointPlace {
  const place = placeIn(config);
  const { namespace = '', checkpointId } = place;
  const threadId = threadOf(place);
  if (checkpointId !== undefined) return { threadId, namespace, checkpointId };
  throw new CtxError(
    'CTX_INVALID_INPUT',
    'configurable.checkpoint_id is missing: it says which checkpoint was written to',
  );
}

/** Keeps what a task wrote. What the task wrote before at the same position stays, but for the fixed positions. */
export async function saveWrites(
  host: SaverHost,
  dumper: Dumper,
  { config, writes, taskId, taskPath = '' }: TaskWrites,
): Promise<void> {
  const { threadId, namespace, checkpointId } = checkedPlace(config);
  const drafts = await Promise.all(
    writes.map(async ([channel, value], index) => {
      const position = fixedPositions.get(channel) ?? index;
      const body = writeDumped(await dumpValue(dumper, value));
      const key = [threadId, namespace, checkpointId, taskId, String(position)];
      return { key, position, columns: { task_path: taskPath, position, channel }, body };
    }),
  );
  await retryOnConflict(async () => {
    const known = await host.writes.getMany(
      drafts.map(({ key }) => key),
      'columns',
    );
    const fresh = drafts.filter(({ position }, index) => position < 0 || !known[index]);
    const puts = fresh.map(({ key, position, columns, body }) =>
      host.writes.put({ key, columns, body, ...(position < 0 ? {} : { expectVersion: 0 }) }),
    );
    if (puts.length > 0) await host.store.records.write(puts);
  });
}

/** The writes to a checkpoint, in the order in which LangGraph applies them: by path, task and position. */
export async function readWrites(
  { writes }: SaverHost,
  serde: SerializerShape,
  { threadId, namespace, checkpointId }: CheckpointPlace,
): Promise<PendingWriteShape[]> {
  const found: PendingWriteShape[] = [];
  const equal = [threadId, namespace, checkpointId];
  for await (const record of writes.scan({ index: 'by_path', equal })) {
    const value = await loadValue(serde, readDumped(record));
    found.push([record.key[3] ?? '', String(record.columns['channel']), value]);
  }
  return found;
}
