import { CtxError } from '@ctx/core';
import type { StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import {
  changesSince,
  diffSince,
  type ItemChangesSince,
  type ItemDiffSince,
} from '../diff/diff-since.ts';
import { diffItemManifests, type ItemDiff } from '../diff/item-diff.ts';
import { type ItemManifest, itemManifest } from '../diff/item-manifest.ts';
import { type Page, type PageRequest, readPage } from '../records/pages.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { StoreHost } from '../store-host.ts';
import type { Checkpoint, CheckpointSummary, ManifestItem } from './checkpoint.ts';
import { type CheckpointPlaces, checkpointPlaces } from './checkpoint-places.ts';
import { checkpointOf, checkpointSummaryOf } from './checkpoint-record.ts';
import {
  type CheckpointCommit,
  type CheckpointDraft,
  commitCheckpoint,
} from './commit-checkpoint.ts';
import {
  allCheckpoints,
  type CheckpointDeletion,
  deleteCheckpoints,
} from './delete-checkpoints.ts';
import { type ForkOptions, type ForkReceipt, forkOnce } from './fork-checkpoint.ts';
import { readManifest } from './manifest/manifest.ts';
import { takeNames } from './manifest/take-names.ts';
import { type RestoreOptions, type RestoreReceipt, restoreOnce } from './restore-checkpoint.ts';
import {
  type CheckpointRetention,
  checkCheckpointRetention,
  defaultCheckpointRetention,
  planCheckpointRetention,
} from './retention.ts';
import { readWorkingState, type WorkingScope, type WorkingState } from './working/working-state.ts';

/** Whose checkpoints are listed: of an agent, or of a session. */
export type CheckpointListRequest = PageRequest &
  ({ readonly agentId: string } | { readonly sessionId: string });

/** The restorable moments of one tenant's agents and sessions. */
export interface CheckpointService {
  /** What a checkpoint would hold now. Reads the columns of the items that are not archived. */
  read(scope: WorkingScope): Promise<WorkingState>;
  /**
   * Writes a checkpoint, and archives what goes with it, in one write that outlives a power cut. Where the newest one says the same
   * nothing is written.
   * @throws `CTX_STORE_CONFLICT` where what was read is no longer so: read again.
   */
  commit(draft: CheckpointDraft): Promise<CheckpointCommit>;
  /** @throws `CTX_STORE_CORRUPT`. */
  get(checkpointId: string): Promise<Checkpoint | undefined>;
  /** Newest first. Reads columns only. */
  list(request: CheckpointListRequest): Promise<Page<CheckpointSummary>>;
  /**
   * The items of a checkpoint without their contents, most important first; those that were purged since are not among them.
   * @throws `CTX_NOT_FOUND`, `CTX_STORE_CORRUPT`.
   */
  manifest(checkpointId: string): Promise<readonly ManifestItem[]>;
  /**
   * What became of an agent's items from one checkpoint to another.
   * @throws `CTX_NOT_FOUND`; `CTX_INVALID_INPUT` where they are of two agents.
   */
  diff(beforeId: string, afterId: string): Promise<ItemDiff>;
  /**
   * What became of the items since a checkpoint, or since a manifest at hand. Reads the items that changed or fell to another tier
   * since; for a checkpoint that was not asked for lately also its manifest.
   * @throws `CTX_NOT_FOUND`.
   */
  diffSince(since: { readonly checkpointId: string } | ItemManifest): Promise<ItemDiffSince>;
  /** What became of an agent's items since a moment (ms since the epoch), by their own times. */
  changesSince(agentId: string, since: number): Promise<ItemChangesSince>;
  /** Deletes a checkpoint, and the contents that were kept for it alone. False where there was none. */
  delete(checkpointId: string): Promise<boolean>;
  /** Deletes what an agent's checkpoints have too many or too old. Those with a label stay, and the newest. */
  prune(agentId: string, retention?: Partial<CheckpointRetention>): Promise<CheckpointDeletion>;
  /**
   * Brings the working set and the session's document back, in one write. What came since is archived, not deleted; the state before
   * is kept as a checkpoint of its own, so that restoring that one takes this back. The window has its own way back: see @ctx/truncation.
   * @throws `CTX_NOT_FOUND`, `CTX_STORE_CORRUPT`; with `append` also `CTX_STORE_CONFLICT`.
   */
  restore(checkpointId: string, options?: RestoreOptions): Promise<RestoreReceipt>;
  /**
   * Begins a session, or another agent's items, from a checkpoint.
   * @throws `CTX_NOT_FOUND`, `CTX_STORE_CONFLICT`, `CTX_INVALID_INPUT`.
   */
  fork(checkpointId: string, options: ForkOptions): Promise<ForkReceipt>;
  /**
   * Destroys the contents that were kept of an item, so that no checkpoint brings them back, and takes its name out of the agent's
   * checkpoints. Returns how many contents there were. The item itself, if it is still there, stays, and so does its name:
   * `items.delete` first. Reads the agent's manifests.
   */
  purge(agentId: string, itemId: string): Promise<number>;
}

async function recordOf(
  { checkpoints }: CheckpointPlaces,
  checkpointId: string,
  part: 'whole' | 'columns',
): Promise<StoredRecord | undefined> {
  for await (const record of checkpoints.scan({
    index: 'by_id',
    equal: [checkpointId],
    limit: 1,
    part,
  }))
    return record;
  return undefined;
}

async function mustFind(
  places: CheckpointPlaces,
  checkpointId: string,
  part: 'whole' | 'columns' = 'whole',
): Promise<StoredRecord> {
  const record = await recordOf(places, checkpointId, part);
  if (record !== undefined) return record;
  throw new CtxError('CTX_NOT_FOUND', `there is no checkpoint ${checkpointId}`);
}

type Reads = Pick<CheckpointService, 'read' | 'get' | 'list' | 'manifest'>;

function reads(places: CheckpointPlaces): Reads {
  return {
    read: (scope) => readWorkingState(places, scope),
    get: async (checkpointId) => {
      const record = await recordOf(places, checkpointId, 'whole');
      return record && checkpointOf(record);
    },
    list: (request) => {
      const whose =
        'agentId' in request
          ? { index: 'key', equal: [request.agentId] }
          : { index: 'by_session', equal: [request.sessionId] };
      const query = {
        ...whose,
        descending: true,
        part: 'columns',
        decode: checkpointSummaryOf,
      } as const;
      return readPage(places.checkpoints, query, request);
    },
    manifest: async (checkpointId) => {
      const { agentId, sequence } = checkpointSummaryOf(await mustFind(places, checkpointId));
      return (await readManifest(places, [agentId, sequence])).items;
    },
  };
}

async function purgeItem(
  places: CheckpointPlaces,
  [agentId, itemId]: readonly [string, string],
): Promise<number> {
  const { contents, host, items } = places;
  const removals: WriteOperation[] = [];
  const kept = { index: 'key', equal: [agentId, itemId], part: 'columns' } as const;
  for await (const { key } of contents.scan(kept)) removals.push(contents.remove({ key }));
  if (removals.length > 0) await host.backend.write(removals, { durability: 'power' });
  if ((await items.get([agentId, itemId], 'columns')) === undefined) {
    await takeNames(places, { agentId, ids: new Set([itemId]), from: 0 });
  }
  return removals.length;
}

type Removals = Pick<CheckpointService, 'delete' | 'prune' | 'purge'>;

function removals(places: CheckpointPlaces): Removals {
  return {
    delete: async (checkpointId) => {
      const record = await recordOf(places, checkpointId, 'columns');
      if (record === undefined) return false;
      const summary = checkpointSummaryOf(record);
      await deleteCheckpoints(places, summary.agentId, [summary]);
      return true;
    },
    prune: async (agentId, given = {}) => {
      const retention = { ...defaultCheckpointRetention, ...given };
      checkCheckpointRetention(retention);
      const all = await allCheckpoints(places, agentId);
      const leaving = planCheckpointRetention(all, retention, places.host.clock());
      return deleteCheckpoints(places, agentId, leaving);
    },
    purge: (agentId, itemId) => purgeItem(places, [agentId, itemId]),
  };
}

type Diffs = Pick<CheckpointService, 'diff' | 'diffSince' | 'changesSince'>;

/** So many manifests are kept in memory for diffs. */
const manifestsKept = 2;

/** A manifest that was read, and of which version of its checkpoint. */
interface KnownManifest {
  readonly version: number;
  readonly manifest: ItemManifest;
}

function diffs(places: CheckpointPlaces): Diffs {
  const recent = new Map<string, KnownManifest>();
  const manifestOf = async (checkpointId: string): Promise<ItemManifest> => {
    const record = await mustFind(places, checkpointId, 'columns');
    const known = recent.get(checkpointId);
    if (known?.version === record.version) return known.manifest;
    const summary = checkpointSummaryOf(record);
    const { items } = await readManifest(places, [summary.agentId, summary.sequence]);
    const manifest = itemManifest(summary, items);
    recent.set(checkpointId, { version: record.version, manifest });
    const [oldest] = recent.keys();
    if (recent.size > manifestsKept && oldest !== undefined) recent.delete(oldest);
    return manifest;
  };
  return {
    diff: async (beforeId, afterId) => {
      const [before, after] = [await manifestOf(beforeId), await manifestOf(afterId)];
      if (before.agentId !== after.agentId) {
        throw new CtxError('CTX_INVALID_INPUT', 'the checkpoints are of two agents');
      }
      return diffItemManifests([...before.items.values()], [...after.items.values()]);
    },
    diffSince: async (since) =>
      diffSince(places, 'items' in since ? since : await manifestOf(since.checkpointId)),
    changesSince: (agentId, since) => changesSince(places, agentId, since),
  };
}

/** Makes the service. Does nothing until used. */
export function checkpointService(host: StoreHost): CheckpointService {
  const places = checkpointPlaces(host);
  const found = async (checkpointId: string): Promise<Checkpoint> =>
    checkpointOf(await mustFind(places, checkpointId));
  return {
    ...reads(places),
    ...removals(places),
    ...diffs(places),
    commit: (draft) => commitCheckpoint(places, draft),
    restore: async (checkpointId, options = {}) => {
      const checkpoint = await found(checkpointId);
      const run = () => restoreOnce(places, checkpoint, options);
      // A window's events stand at one place of the log: whoever hands them in has to look again.
      return options.append === undefined ? retryOnConflict(run) : run();
    },
    fork: async (checkpointId, options) => forkOnce(places, await found(checkpointId), options),
  };
}
