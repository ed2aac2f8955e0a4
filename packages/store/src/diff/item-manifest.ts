import type { CheckpointSummary, ItemCount, ManifestItem } from '../checkpoints/checkpoint.ts';

/** What was known of an agent's items at a moment. */
export interface ItemManifest {
  readonly agentId: string;
  /** The moment whose tiers it tells, ms since the epoch. */
  readonly at: number;
  readonly items: ReadonlyMap<string, ManifestItem>;
  /** Those of them that are not archived. */
  readonly working: ItemCount;
  /** Whatever changed later bears at least this time, ms since the epoch, unless a clock was set back by more than a second. */
  readonly horizon: number;
}

/** Writers that were under way when a manifest was read, and clocks that differ a little, are covered by so much, ms. */
const slackMs = 1000;

/** Counts the items that are not archived. */
export function countWorking(items: Iterable<ManifestItem>): ItemCount {
  let [count, sum] = [0, 0];
  for (const { archived, tokens } of items) {
    if (archived) continue;
    count += 1;
    sum += tokens;
  }
  return { items: count, tokens: sum };
}

/** Makes it so that it can be asked by id. Makes one pass. */
export function itemManifest(
  { agentId, createdAt }: Pick<CheckpointSummary, 'agentId' | 'createdAt'>,
  items: readonly ManifestItem[],
): ItemManifest {
  return {
    agentId,
    at: createdAt,
    items: new Map(items.map((item) => [item.id, item])),
    working: countWorking(items),
    horizon: createdAt - slackMs,
  };
}
