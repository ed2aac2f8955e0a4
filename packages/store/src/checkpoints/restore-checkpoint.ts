import { encodeValue } from '@ctx/core/encoding';
import type { WriteOperation } from '../backend/store-backend.ts';
import { type AppendedEvents, eventOperations } from '../events/events.ts';
import { itemPatch, itemPut, itemSummaryOf } from '../items/item-record.ts';
import type { Session } from '../sessions/session-document.ts';
import { sessionPut } from '../sessions/session-record.ts';
import type { Checkpoint, CheckpointSummary, ManifestItem } from './checkpoint.ts';
import type { CheckpointPlaces } from './checkpoint-places.ts';
import { prepareCheckpoint } from './commit-checkpoint.ts';
import { keptContents } from './manifest/find-contents.ts';
import { keptOperations } from './manifest/keep-contents.ts';
import { readManifest } from './manifest/manifest.ts';
import { planRestore, type RestorePlan } from './plan-restore.ts';
import type { StandingItem } from './working/working-part.ts';
import { readWorkingState, type WorkingState } from './working/working-state.ts';

/** What goes with a restore. */
export interface RestoreOptions {
  /** Events that the same write adds to a log: the window's way back. Default: none. */
  readonly append?: AppendedEvents;
}

/** What a restore did. */
export interface RestoreReceipt {
  readonly checkpoint: CheckpointSummary;
  /** The checkpoint of the state before: restoring it takes this restore back. Missing where nothing was written. */
  readonly undo?: CheckpointSummary;
  readonly items: {
    /** Items that got their rank, pin, count or place back, content included where it was another. */
    readonly restored: number;
    /** Of `restored`: those whose content came back. */
    readonly contents: number;
    readonly unchanged: number;
    /** Items that the checkpoint does not hold. They were archived, not deleted. */
    readonly archived: number;
    /** Items whose content of then is gone for good; at most 100 are named. */
    readonly missing: readonly string[];
    /** Items that were purged since: the checkpoint knows neither their content nor what they were called. */
    readonly purged: number;
  };
  readonly session: 'restored' | 'unchanged' | 'none';
}

const maxNamed = 100;

/** The items of a manifest that are not among the working ones, as they are now. */
async function archivedOf(
  { items }: CheckpointPlaces,
  manifest: readonly ManifestItem[],
  { agentId, working }: { readonly agentId: string; readonly working: readonly StandingItem[] },
): Promise<StandingItem[]> {
  const known = new Set(working.map(({ item }) => item.id));
  const keys = manifest.flatMap(({ id }) => (known.has(id) ? [] : [[agentId, id]]));
  const records = keys.length === 0 ? [] : await items.getMany(keys, 'columns');
  return records.flatMap((record) =>
    record === undefined ? [] : [{ item: itemSummaryOf(record), version: record.version }],
  );
}

/** What is known beside a plan. */
interface Planned {
  readonly archivedNow: readonly StandingItem[];
  readonly purged: number;
}

async function planFor(
  places: CheckpointPlaces,
  { checkpoint, state }: Restoring,
): Promise<RestorePlan & Planned> {
  const { agentId, sequence } = checkpoint;
  const { items: manifest, purged } = await readManifest(places, [agentId, sequence]);
  const { now } = state;
  const working = state.items.list();
  const archivedNow = await archivedOf(places, manifest, { agentId, working });
  const prints = new Map(
    [...working, ...archivedNow].map(({ item }) => [item.id, item.fingerprint]),
  );
  const changed = manifest.filter(({ id, fingerprint }) => prints.get(id) !== fingerprint);
  const contents = await keptContents(places, agentId, changed);
  const plan = planRestore({ agentId, manifest, working, archived: archivedNow, contents, now });
  return { ...plan, archivedNow, purged };
}

interface Restoring {
  readonly checkpoint: Checkpoint;
  readonly state: WorkingState;
}

function itemOperations(
  { host, items }: CheckpointPlaces,
  { moves, returns, archive }: RestorePlan,
  now: number,
): WriteOperation[] {
  const moved = moves.flatMap(({ before, after }) => {
    const patch = itemPatch(items, { before: before.item, after }, before.version);
    return patch === undefined ? [] : [patch];
  });
  const place = { host, collection: items };
  const returned = returns.map(({ before, after }) => itemPut(place, after, before?.version ?? 0));
  const archived = archive.map(({ item, version }) => {
    const columns = { archived: 1, ranked_at: now };
    return items.patch({ key: [item.agentId, item.id], columns, expectVersion: version });
  });
  return [...moved, ...returned, ...archived];
}

/** All of a session that a restore brings back, as text. */
function contentsOf({ agentId, title, source, document }: Session): string {
  return JSON.stringify([agentId, title, source, encodeValue(document)]);
}

function isSame(left: Session, right: Session | undefined): boolean {
  return right !== undefined && contentsOf(left) === contentsOf(right);
}

/** Puts the session back under the version that it has now. */
function sessionOperations(
  { sessions }: CheckpointPlaces,
  { checkpoint, state }: Restoring,
): WriteOperation[] {
  const { session } = checkpoint;
  if (session === undefined || isSame(session, state.session)) return [];
  return [
    sessionPut(sessions, {
      ...session,
      version: state.session?.version ?? 0,
      updatedAt: Math.max(state.now, session.updatedAt),
    }),
  ];
}

function receiptOf(
  { checkpoint: { session, ...checkpoint } }: Restoring,
  { moves, returns, archive, missing, unchanged, purged }: RestorePlan & Pick<Planned, 'purged'>,
  hasSession: boolean,
): RestoreReceipt {
  const kept = session === undefined ? 'none' : 'unchanged';
  return {
    checkpoint,
    items: {
      restored: moves.length + returns.length,
      contents: returns.length,
      unchanged,
      archived: archive.length,
      missing: missing.slice(0, maxNamed),
      purged,
    },
    session: hasSession ? 'restored' : kept,
  };
}

/**
 * Brings items and session back to a checkpoint, in one write that also keeps the state before.
 * Done a second time it changes and writes nothing.
 * @throws `CTX_STORE_CONFLICT` if another writer came between.
 */
export async function restoreOnce(
  places: CheckpointPlaces,
  checkpoint: Checkpoint,
  { append }: RestoreOptions,
): Promise<RestoreReceipt> {
  const { agentId, sessionId } = checkpoint;
  const scope = { agentId, ...(sessionId === undefined ? {} : { sessionId }) };
  const state = await readWorkingState(places, scope);
  const restoring = { checkpoint, state };
  const plan = await planFor(places, restoring);
  const sessions = sessionOperations(places, restoring);
  const events =
    append === undefined ? [] : eventOperations(places.events, append, places.host.clock());
  const items = itemOperations(places, plan, state.now);
  const receipt = receiptOf(restoring, plan, sessions.length > 0);
  if (items.length + sessions.length + events.length === 0) return receipt;
  const moved = new Set([...plan.moves, ...plan.returns].map(({ before }) => before?.item.id));
  const alsoHolds = plan.archivedNow.filter(({ item }) => moved.has(item.id));
  const undo = prepareCheckpoint(places, { state, alsoHolds, trigger: 'before-restore' });
  const replaced = plan.returns.flatMap(({ before }) =>
    before === undefined ? [] : [before.item.id],
  );
  const kept = await keptOperations(places, {
    agentId,
    itemIds: replaced,
    reason: 'replaced',
    until: undo.checkpoint.sequence,
  });
  const operations = [...undo.operations, ...kept, ...items, ...sessions, ...events];
  await places.host.backend.write(operations, { durability: 'power' });
  const { session: _session, ...summary } = undo.checkpoint;
  return { ...receipt, undo: summary };
}
