import { listedValues } from '../backend/record-lists.ts';
import type { StoredRecord } from '../backend/store-backend.ts';
import type { ManifestItem } from '../checkpoints/checkpoint.ts';
import { type CheckpointPlaces, readHead } from '../checkpoints/checkpoint-places.ts';
import { manifestItem } from '../checkpoints/manifest/manifest.ts';
import { readWorkingItems } from '../checkpoints/working/working-state.ts';
import { type AgentClock, agentTime } from '../items/agent-clock.ts';
import { itemSummaryOf } from '../items/item-record.ts';
import { fallenRanges } from '../items/tiers/tier-changes.ts';
import type { CollectionAccess, IndexRange } from '../records/collection-access.ts';
import { type DiffEntry, diffEntryOf, diffItemManifests, type ItemDiff } from './item-diff.ts';
import { countWorking, type ItemManifest } from './item-manifest.ts';

/** What became of an agent's items since a manifest. */
export interface ItemDiffSince extends ItemDiff {
  readonly agentId: string;
  /** The earlier moment, ms since the epoch. */
  readonly since: number;
  /** The moment whose tiers are those of `after`, ms since the epoch. */
  readonly now: number;
  /**
   * `changes`: only what changed was read. `all`: the counts did not add up, as after a clock that was set back, so that all items
   * were compared.
   */
  readonly read: 'changes' | 'all';
}

/** This moment, and the agent's own time. */
interface Moment {
  readonly now: number;
  readonly clock: AgentClock;
}

async function momentOf(places: CheckpointPlaces, agentId: string): Promise<Moment> {
  const { clock } = await readHead(places, agentId);
  return { now: places.host.clock(), clock };
}

/** So many items are read together. */
const together = 500;

/** What tells an item from what a manifest knows of it: from another rank follow another tier and place. */
const told = ['item_id', 'fingerprint', 'rank', 'archived'] as const;

/** The records of a range as lists of some of their columns. */
async function* listsOf(
  items: CollectionAccess,
  range: IndexRange,
  names: readonly string[],
): AsyncGenerator<readonly (readonly unknown[])[]> {
  for (const { lists } of await items.lists({ ...range, names, size: 10_000 }))
    yield names.map((name) => listedValues(lists[name]));
}

/**
 * The ids of items that were saved or moved since, and are not as a manifest knows them. Many may have been saved in the very moment of a
 * checkpoint and have stayed as they were. Reads a list of four columns of those that moved, and of the ids of those that were saved:
 * nearly all of them moved, too.
 */
async function otherThan(
  items: CollectionAccess,
  since: Omit<IndexRange, 'index'>,
  known: ItemManifest['items'],
): Promise<Set<string>> {
  const others = new Set<string>();
  const same = new Set<string>();
  for await (const values of listsOf(items, { index: 'by_place', ...since }, told)) {
    for (const [at, id] of values[0]?.entries() ?? []) {
      const name = String(id);
      const item = values.map((list) => list[at]);
      (isAsKnown(known.get(name), item) ? same : others).add(name);
    }
  }
  for await (const [ids = []] of listsOf(items, { index: 'by_change', ...since }, ['item_id'])) {
    for (const id of ids) if (!same.has(String(id))) others.add(String(id));
  }
  return others;
}

function isAsKnown(
  item: ManifestItem | undefined,
  [id, fingerprint, rank, archived]: readonly unknown[],
): boolean {
  if (item === undefined) return false;
  const { archived: wasArchived } = item;
  return (
    item.id === id &&
    item.fingerprint === fingerprint &&
    item.rank === rank &&
    wasArchived === (archived !== 0)
  );
}

/** The items that may have changed since, as they are now. Costs one read each, and one index step for each of about the same moment. */
async function candidates(
  { items, host }: CheckpointPlaces,
  { agentId, at, horizon, items: known }: ItemManifest,
  { clock, now }: Moment,
): Promise<Map<string, ManifestItem>> {
  const { importancePolicy: policy } = host;
  const agentNow = agentTime(clock, now, policy);
  const then = agentTime(clock, at, policy);
  const [since, until] = [Math.min(then, agentNow), Math.max(then, agentNow)];
  const resting = fallenRanges(since, { now: until, policy });
  const found = new Map<string, ManifestItem>();
  const add = (record: StoredRecord): void => {
    const item = manifestItem(itemSummaryOf(record), agentNow, policy);
    found.set(item.id, item);
  };
  for (const range of resting.map((one) => ({ index: 'by_rank', equal: [agentId, 0], range: one })))
    for await (const record of items.scan({ ...range, part: 'columns' })) add(record);
  const touched = await otherThan(items, { equal: [agentId], range: { from: horizon } }, known);
  const ids = [...touched].filter((id) => !found.has(id));
  for (let at = 0; at < ids.length; at += together) {
    const keys = ids.slice(at, at + together).map((id) => [agentId, id]);
    for (const record of await items.getMany(keys, 'columns'))
      if (record !== undefined) add(record);
  }
  return found;
}

/** Items of the manifest that were deleted since and are still gone. */
async function removedSince(
  { contents, items }: CheckpointPlaces,
  { agentId, items: known, horizon }: ItemManifest,
): Promise<ManifestItem[]> {
  const gone = new Map<string, ManifestItem>();
  const range = { index: 'by_time', equal: [agentId], range: { from: horizon } };
  for await (const { key, columns } of contents.scan({ ...range, part: 'columns' })) {
    const item = known.get(key[1] ?? '');
    if (item !== undefined && columns['reason'] === 'deleted') gone.set(item.id, item);
  }
  const listed = [...gone.values()];
  if (listed.length === 0) return [];
  const records = await items.getMany(
    listed.map(({ id }) => [agentId, id]),
    'columns',
  );
  return listed.filter((_, at) => records[at] === undefined);
}

function compare(
  { items: known }: ItemManifest,
  found: ReadonlyMap<string, ManifestItem>,
  removed: readonly ManifestItem[],
): ItemDiff {
  const before: ManifestItem[] = [...removed];
  const after: ManifestItem[] = [];
  for (const item of found.values()) {
    const earlier = known.get(item.id);
    if (earlier === undefined && item.archived) continue;
    after.push(item);
    if (earlier !== undefined) before.push(earlier);
  }
  const diff = diffItemManifests(before, after);
  const rest = known.size - before.length;
  return { ...diff, unchanged: diff.unchanged + rest };
}

/** Whether the manifest and the changes found give the number of items, and of tokens, that there are now. */
async function addsUp(
  { items }: CheckpointPlaces,
  manifest: ItemManifest,
  changes: {
    readonly found: ReadonlyMap<string, ManifestItem>;
    readonly removed: readonly ManifestItem[];
  },
): Promise<boolean> {
  const known = [...changes.found.keys()].flatMap((id) => manifest.items.get(id) ?? []);
  const before = countWorking([...known, ...changes.removed]);
  const after = countWorking(changes.found.values());
  const whole = manifest.working;
  const query = { index: 'by_rank', equal: [manifest.agentId, 0], sums: ['tokens'] };
  const [now] = await items.tally(query);
  return (
    now?.count === whole.items - before.items + after.items &&
    now.sums[0] === whole.tokens - before.tokens + after.tokens
  );
}

/** Compares all items that are not archived, and asks for those of the manifest that are missing among them. */
async function compareAll(
  places: CheckpointPlaces,
  manifest: ItemManifest,
  { clock, now }: Moment,
): Promise<ItemDiff> {
  const { agentId, items: known } = manifest;
  const { importancePolicy: policy } = places.host;
  const agentNow = agentTime(clock, now, policy);
  const working = await readWorkingItems(places, agentId);
  const found = new Map(
    working.list().map(({ item }) => [item.id, manifestItem(item, agentNow, policy)]),
  );
  const others = [...known.values()].filter(({ id }) => !found.has(id));
  const keys = others.map(({ id }) => [agentId, id]);
  const records = keys.length === 0 ? [] : await places.items.getMany(keys, 'columns');
  const removed = others.filter((_, at) => records[at] === undefined);
  for (const record of records) {
    if (record === undefined) continue;
    const item = manifestItem(itemSummaryOf(record), agentNow, policy);
    found.set(item.id, item);
  }
  return compare(manifest, found, removed);
}

/**
 * Tells what became of an agent's items since a manifest.
 * Exact as long as clocks go forward. Where one was set back by more than a second, it is exact if the number of items or of
 * tokens tells of the change.
 * Reads the items that changed or fell to another tier since.
 */
export async function diffSince(
  places: CheckpointPlaces,
  manifest: ItemManifest,
): Promise<ItemDiffSince> {
  const moment = await momentOf(places, manifest.agentId);
  const moments = { agentId: manifest.agentId, since: manifest.at, now: moment.now };
  const found = await candidates(places, manifest, moment);
  const removed = await removedSince(places, manifest);
  if (await addsUp(places, manifest, { found, removed })) {
    return { ...compare(manifest, found, removed), ...moments, read: 'changes' };
  }
  return { ...(await compareAll(places, manifest, moment)), ...moments, read: 'all' };
}

/** What is known since a moment without any manifest. */
export interface ItemChangesSince {
  readonly agentId: string;
  readonly since: number;
  readonly now: number;
  /** Items that were saved for the first time since. */
  readonly added: readonly DiffEntry[];
  /** Items that got another content since. */
  readonly changed: readonly DiffEntry[];
  /** Items whose tier or place became another since: they were touched, pinned or archived, or time passed. */
  readonly moved: readonly DiffEntry[];
  /** Items that were deleted since, as far as a checkpoint of before names them. */
  readonly removed: readonly { readonly id: string; readonly fingerprint: string }[];
}

/** Tells by the times of items what became of them since a moment. Reads the items that changed or fell since. */
export async function changesSince(
  places: CheckpointPlaces,
  agentId: string,
  since: number,
): Promise<ItemChangesSince> {
  const present = await momentOf(places, agentId);
  const { now } = present;
  const working = { items: 0, tokens: 0 };
  const moment = { agentId, at: since, items: new Map(), working, horizon: since };
  const found = [...(await candidates(places, moment, present)).values()];
  const added = found.filter(({ createdAt, archived }) => createdAt >= since && !archived);
  const older = found.filter(({ createdAt }) => createdAt < since);
  const removed: { id: string; fingerprint: string }[] = [];
  const range = { index: 'by_time', equal: [agentId], range: { from: since } };
  for await (const { key, columns } of places.contents.scan({ ...range, part: 'columns' })) {
    if (columns['reason'] === 'deleted')
      removed.push({ id: key[1] ?? '', fingerprint: key[2] ?? '' });
  }
  return {
    agentId,
    since,
    now,
    added: added.map(diffEntryOf),
    changed: older.filter(({ updatedAt }) => updatedAt >= since).map(diffEntryOf),
    moved: older.filter(({ updatedAt }) => updatedAt < since).map(diffEntryOf),
    removed,
  };
}
