import { rankRangeOf, tiersAt } from '@ctx/core';
import type { WriteOperation, WriteOptions } from '../backend/store-backend.ts';
import { newestCheck } from '../events/events.ts';
import { actingColumns } from '../items/agent-clock.ts';
import type { Checkpoint, CheckpointSummary, CheckpointTrigger } from './checkpoint.ts';
import type { CheckpointPlaces } from './checkpoint-places.ts';
import { checkpointPut } from './checkpoint-record.ts';
import {
  countManifest,
  encodeManifest,
  type ListedManifest,
  type ManifestParts,
  partPuts,
  readParts,
  workingParts,
} from './manifest/manifest.ts';
import { partsAround } from './working/working-items.ts';
import { partsOfItems, type StandingItem } from './working/working-part.ts';
import type { WorkingState } from './working/working-state.ts';
import { sequenceText } from '../records/sequence-text.ts';

/** What a checkpoint is made from. */
export interface CheckpointDraft {
  readonly state: WorkingState;
  /** How many items are archived with it: none (the default), or as many of `state.items` as are cold. */
  readonly archive?: number;
  /** Archived items that stand in the manifest beside those of `state.items`. Default: none. */
  readonly alsoHolds?: readonly StandingItem[];
  readonly label?: string;
  readonly trigger: CheckpointTrigger;
}

/** A checkpoint that was made or, where it would say the same, the newest one. */
export interface CheckpointCommit {
  readonly checkpoint: CheckpointSummary;
  /** True where the newest checkpoint says the same and nothing was written. */
  readonly unchanged: boolean;
}

/** A checkpoint that is ready to be written. */
export interface PreparedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly parts: ManifestParts;
  readonly operations: readonly WriteOperation[];
}

/** The first of the items that leave. */
const firstLeaving = ({ state, archive = 0 }: CheckpointDraft): number =>
  state.items.count - archive;

function manifestOf(draft: CheckpointDraft): ListedManifest {
  const { state, alsoHolds = [] } = draft;
  const { now, agentNow, policy, items } = state;
  const { before, behind } = partsAround(items.parts, firstLeaving(draft));
  return {
    working: before,
    archived: [
      ...behind.map((part) => ({ part, rankedAt: now })),
      ...partsOfItems(alsoHolds).map((part) => ({ part })),
    ],
    tierAt: tiersAt(agentNow, policy),
  };
}

/** Archives all cold items in one step: those below the rank of warm ones, of which there must be as many as were read. */
function archiveOptions(
  { items }: CheckpointPlaces,
  { archive = 0, state }: CheckpointDraft,
): Pick<WriteOptions, 'patchRanges'> {
  const { agentId, now, agentNow, policy } = state;
  if (archive === 0) return {};
  const cold = items.patchRange({
    index: 'by_rank',
    equal: [agentId, 0],
    range: rankRangeOf('cold', agentNow, policy),
    columns: { archived: 1, ranked_at: now },
    expectCount: archive,
  });
  return { patchRanges: [cold] };
}

/** Makes the write conflict where what was read is no longer so. */
function checksOf(
  { sessions, events }: CheckpointPlaces,
  { sessionId, session, eventSequence }: WorkingState,
): WriteOperation[] {
  if (sessionId === undefined) return [];
  return [
    sessions.check({ key: [sessionId], expectVersion: session?.version ?? 0 }),
    newestCheck(events, sessionId, eventSequence),
  ];
}

/** Makes the record, and everything that one write has to do. */
export function prepareCheckpoint(
  places: CheckpointPlaces,
  draft: CheckpointDraft,
): PreparedCheckpoint {
  const { state, label, trigger } = draft;
  const { agentId, sessionId, session, eventSequence, head, now } = state;
  const sequence = head.lastSequence + 1;
  const manifest = manifestOf(draft);
  const checkpoint: Checkpoint = {
    id: places.host.ids(),
    agentId,
    sequence,
    createdAt: now,
    trigger,
    ...(label === undefined ? {} : { label }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(session === undefined ? {} : { session, sessionVersion: session.version }),
    ...(eventSequence === undefined ? {} : { eventSequence }),
    ...countManifest(manifest),
  };
  const parts = encodeManifest(manifest);
  const counted = places.heads.put({
    key: [agentId],
    columns: {
      ...{ last_sequence: sequence, changed_at: now },
      ...actingColumns(head.clock, now, state.policy),
    },
    body: '{}',
    expectVersion: head.version,
  });
  const operations = [
    ...checksOf(places, state),
    counted,
    checkpointPut(places.checkpoints, checkpoint),
    ...partPuts(places, checkpoint, parts),
  ];
  return { checkpoint, parts, operations };
}

function countsText({ hot, warm, cold }: CheckpointSummary): string {
  return JSON.stringify([hot, warm, cold].map(({ items, tokens }) => [items, tokens]));
}

/**
 * Whether the newest checkpoint has the working set and the session that this one would. What it archived has left since then.
 * Reads its manifest where the counts are the same.
 */
async function saysTheSame(
  places: CheckpointPlaces,
  previous: CheckpointSummary,
  { checkpoint, parts }: PreparedCheckpoint,
): Promise<boolean> {
  const isLike =
    previous.sessionId === checkpoint.sessionId &&
    previous.sessionVersion === checkpoint.sessionVersion &&
    previous.eventSequence === checkpoint.eventSequence &&
    countsText(previous) === countsText(checkpoint);
  if (!isLike) return false;
  const limit = workingParts(previous);
  const stored = await readParts(places, [previous.agentId, previous.sequence], limit);
  return stored.join('\n') === parts.working.join('\n');
}

/** Gives the newest checkpoint the label of one that says the same. */
async function labelled(
  { host, checkpoints }: CheckpointPlaces,
  previous: CheckpointSummary,
  label: string | undefined,
): Promise<CheckpointSummary> {
  if (label === undefined || label === previous.label) return previous;
  const key = [previous.agentId, sequenceText(previous.sequence)];
  await host.backend.write([checkpoints.patch({ key, columns: { label } })]);
  return { ...previous, label };
}

/**
 * Writes a checkpoint and archives what goes with it, all in one write that outlives a power cut.
 * Never a second one that says the same.
 * @throws `CTX_STORE_CONFLICT` where what was read is no longer so.
 */
export async function commitCheckpoint(
  places: CheckpointPlaces,
  draft: CheckpointDraft,
): Promise<CheckpointCommit> {
  const prepared = prepareCheckpoint(places, draft);
  const { previous } = draft.state;
  const isNamedAnew = draft.label !== undefined && previous?.label !== undefined;
  const mayBeSame = !isNamedAnew || draft.label === previous.label;
  if (previous !== undefined && mayBeSame && (draft.archive ?? 0) === 0) {
    if (await saysTheSame(places, previous, prepared)) {
      return { checkpoint: await labelled(places, previous, draft.label), unchanged: true };
    }
  }
  const options = { durability: 'power', ...archiveOptions(places, draft) } as const;
  await places.host.backend.write(prepared.operations, options);
  const { session: _session, ...checkpoint } = prepared.checkpoint;
  return { checkpoint, unchanged: false };
}
