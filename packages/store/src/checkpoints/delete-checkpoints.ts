import type { RecordKey, WriteOperation } from '../backend/store-backend.ts';
import type { StoreHost } from '../store-host.ts';
import type { CheckpointSummary } from './checkpoint.ts';
import type { CheckpointPlaces } from './checkpoint-places.ts';
import { checkpointSummaryOf } from './checkpoint-record.ts';
import { sequenceText } from '../records/sequence-text.ts';

/** What became of checkpoints that were deleted. */
export interface CheckpointDeletion {
  readonly checkpoints: number;
  /** Contents that no checkpoint names any more. */
  readonly contents: number;
}

/** What deletion reads and writes. */
export type RemovalPlaces = Pick<CheckpointPlaces, 'checkpoints' | 'parts' | 'contents'> & {
  readonly host: Pick<StoreHost, 'backend'>;
};

/** All checkpoints of an agent, newest first. Reads their columns. */
export async function allCheckpoints(
  { checkpoints }: RemovalPlaces,
  agentId: string,
): Promise<CheckpointSummary[]> {
  const all: CheckpointSummary[] = [];
  const query = { index: 'key', equal: [agentId], descending: true, part: 'columns' } as const;
  for await (const record of checkpoints.scan(query)) all.push(checkpointSummaryOf(record));
  return all;
}

async function partRemovals(
  { parts }: RemovalPlaces,
  { agentId, sequence }: CheckpointSummary,
): Promise<WriteOperation[]> {
  const removals: WriteOperation[] = [];
  const query = {
    index: 'key',
    equal: [agentId, sequenceText(sequence)],
    part: 'columns',
  } as const;
  for await (const { key } of parts.scan(query)) removals.push(parts.remove({ key }));
  return removals;
}

/** Contents that only checkpoints before `oldest` may name; all of them where there is none left. */
async function unnamedContents(
  { contents }: RemovalPlaces,
  agentId: string,
  oldest: number | undefined,
): Promise<RecordKey[]> {
  const range = oldest === undefined ? {} : { range: { to: oldest, toExclusive: true } };
  const keys: RecordKey[] = [];
  const query = { index: 'by_until', equal: [agentId], ...range, part: 'columns' } as const;
  for await (const { key } of contents.scan(query)) keys.push(key);
  return keys;
}

/** Deletes checkpoints of one agent, and the contents that were kept for them alone, in one write. */
export async function deleteCheckpoints(
  places: RemovalPlaces,
  agentId: string,
  leaving: readonly CheckpointSummary[],
): Promise<CheckpointDeletion> {
  if (leaving.length === 0) return { checkpoints: 0, contents: 0 };
  const gone = new Set(leaving.map(({ sequence }) => sequence));
  const staying = (await allCheckpoints(places, agentId)).filter(
    ({ sequence }) => !gone.has(sequence),
  );
  const contents = await unnamedContents(places, agentId, staying.at(-1)?.sequence);
  const removals: WriteOperation[] = contents.map((key) => places.contents.remove({ key }));
  for (const checkpoint of leaving) {
    removals.push(places.checkpoints.remove({ key: [agentId, sequenceText(checkpoint.sequence)] }));
    removals.push(...(await partRemovals(places, checkpoint)));
  }
  await places.host.backend.write(removals, { durability: 'power' });
  return { checkpoints: leaving.length, contents: contents.length };
}
