import { defaultImportancePolicy, rankOf } from '@ctx/core';
import { searchWords } from '@ctx/relevance';
import { storeCollections } from '@ctx/store';
import type { WriteOperation } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';

const batch = 2000;
const dayMs = 86_400_000;
const kinds = ['TASK', 'CODE', 'ERROR', 'TEST_RESULT', 'PRD_SECTION'];

/** The kind of the item of this number. */
export function kindOf(index: number): string {
  return kinds[index % kinds.length] ?? 'CODE';
}

/** The agent whose items are measured. */
export const benchAgent = 'agent';

/** Item `index` of an agent, spread over thirty days; a fixed generator, so that every run has the same. */
export function itemOperation(index: number, now: number): WriteOperation {
  const spread = ((index * 2_654_435_761) % 1_000_003) / 1_000_003;
  const createdAt = Math.floor(now - spread * 30 * dayMs);
  const kind = kindOf(index);
  const ages = { createdAt, lastAccessedAt: createdAt, accessCount: index % 7 };
  const rank = rankOf({ kind, pinned: false, ...ages }, defaultImportancePolicy);
  const content = `content of item ${String(index)}`;
  return {
    type: 'put',
    collection: 'items',
    key: ['default', benchAgent, `item-${String(index)}`],
    columns: {
      kind,
      rank,
      access_count: ages.accessCount,
      created_at: createdAt,
      last_accessed_at: createdAt,
      pinned: 0,
      archived: 0,
      fingerprint: String(index),
      tokens: 100,
      updated_at: createdAt,
      ranked_at: createdAt,
      source: 'assistant',
      trust: 'derived',
    },
    body: JSON.stringify({ content }),
    words: { content: searchWords(content).join(' ') },
  };
}

/** Fills a new store with so many items, and says how long that took, s. */
export async function fillItems(path: string, items: number, now: number): Promise<number> {
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  const start = performance.now();
  for (let first = 0; first < items; first += batch) {
    const count = Math.min(batch, items - first);
    const operations = Array.from({ length: count }, (_, at) => itemOperation(first + at, now));
    await backend.write(operations);
  }
  await backend.close();
  return (performance.now() - start) / 1000;
}
