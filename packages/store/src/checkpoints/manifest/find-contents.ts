import { fingerprint } from '@ctx/core/encoding';
import { contentOfBody } from '../../items/item-body.ts';
import type { ManifestItem } from '../checkpoint.ts';
import type { CheckpointPlaces } from '../checkpoint-places.ts';

/** The contents that were kept of items, by the item's id. What does not have the fingerprint it should have is left out. */
export async function keptContents(
  { contents }: CheckpointPlaces,
  agentId: string,
  wanted: readonly ManifestItem[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (wanted.length === 0) return found;
  const records = await contents.getMany(wanted.map((one) => [agentId, one.id, one.fingerprint]));
  for (const [at, record] of records.entries()) {
    const entry = wanted[at];
    const content = record && contentOfBody(record);
    if (entry === undefined || content === undefined) continue;
    if (fingerprint(content) === entry.fingerprint) found.set(entry.id, content);
  }
  return found;
}
