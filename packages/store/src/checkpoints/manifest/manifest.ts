import type { ImportancePolicy, ItemSummary } from '@ctx/core';
import { tierOf } from '@ctx/core';
import { collectMapped } from '../../backend/indexes/map-scan.ts';
import type { PutOperation } from '../../backend/store-backend.ts';
import type { ItemCount, ManifestItem } from '../checkpoint.ts';
import type { CheckpointPlaces } from '../checkpoint-places.ts';

import { partItems, type WorkingPart } from '../working/working-part.ts';
import { type PartMarks, partEncoder } from './encode-part.ts';
import { decodePart, type ManifestContents } from './manifest-part.ts';
import { sequenceText } from '../../records/sequence-text.ts';

/** An item of a manifest, of the tier that it has at `now`. */
export function manifestItem(
  { agentId: _agent, ...item }: ItemSummary,
  now: number,
  policy: ImportancePolicy,
): ManifestItem {
  return { ...item, tier: tierOf(item.rank, now, policy) };
}

/** Counts by tier, archived items apart. */
export interface ManifestCounts {
  readonly hot: ItemCount;
  readonly warm: ItemCount;
  readonly cold: ItemCount;
  readonly archived: ItemCount;
}

/** What a manifest holds: parts of items that stay, and of items that are archived or leave with it. */
export interface ListedManifest {
  readonly working: readonly WorkingPart[];
  readonly archived: readonly (Pick<PartMarks, 'rankedAt'> & { readonly part: WorkingPart })[];
  readonly tierAt: PartMarks['tierAt'];
}

/** Counts a manifest. Makes one pass. */
export function countManifest({ working, archived, tierAt }: ListedManifest): ManifestCounts {
  const counts = {
    hot: { items: 0, tokens: 0 },
    warm: { items: 0, tokens: 0 },
    cold: { items: 0, tokens: 0 },
    archived: { items: 0, tokens: 0 },
  };
  const add = (part: WorkingPart, placeOf: (rank: number) => keyof ManifestCounts): void => {
    part.ranks.forEach((rank, at) => {
      const count = counts[placeOf(rank)];
      count.items += 1;
      count.tokens += part.tokens[at] ?? 0;
    });
  };
  for (const part of working) add(part, tierAt);
  for (const { part } of archived) add(part, () => 'archived');
  return counts;
}

/** The parts of a manifest as they are stored. */
export interface ManifestParts {
  /** Of the items that are not archived, in order. */
  readonly working: readonly string[];
  /** Of those that are. */
  readonly archived: readonly string[];
}

/** Makes the parts; working and archived items never share one, so that two working sets can be compared by their parts. */
export function encodeManifest({ working, archived, tierAt }: ListedManifest): ManifestParts {
  const encode = partEncoder();
  return {
    working: working.map((part) => encode(part, { tierAt, archived: false })),
    archived: archived.map(({ part, ...own }) => encode(part, { tierAt, archived: true, ...own })),
  };
}

/** How many parts the working items of a manifest take. */
export function workingParts({ hot, warm, cold }: ManifestCounts): number {
  return Math.ceil((hot.items + warm.items + cold.items) / partItems);
}

/** Writes the parts of a new checkpoint. */
export function partPuts(
  { parts }: CheckpointPlaces,
  { agentId, sequence }: { readonly agentId: string; readonly sequence: number },
  { working, archived }: ManifestParts,
): PutOperation[] {
  return [...working, ...archived].map((body, part) =>
    parts.put({
      key: [agentId, sequenceText(sequence), sequenceText(part)],
      columns: {},
      body,
      expectVersion: 0,
    }),
  );
}

/** The bodies as they are stored, in order: the first `limit`, default all. */
export async function readParts(
  { parts }: CheckpointPlaces,
  [agentId, sequence]: readonly [string, number],
  limit?: number,
): Promise<string[]> {
  const most = limit === undefined ? {} : { limit };
  const query = { index: 'key', equal: [agentId, sequenceText(sequence)], ...most };
  return collectMapped(parts.scan(query), ({ body }) => body);
}

/**
 * The items of a checkpoint. Reads its manifest.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readManifest(
  places: CheckpointPlaces,
  place: readonly [string, number],
): Promise<ManifestContents> {
  const parts = (await readParts(places, place)).map(decodePart);
  return {
    items: parts.flatMap(({ items }) => items),
    purged: parts.reduce((sum, { purged }) => sum + purged, 0),
  };
}
