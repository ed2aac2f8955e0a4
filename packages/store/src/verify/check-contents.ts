import { fingerprint } from '@ctx/core/encoding';
import type { StoredRecord } from '../backend/store-backend.ts';
import { unreadable } from './check-bodies.ts';
import { type Finding, type Found, quarantineOf, removalOf } from './finding.ts';
import { bodyOf, type CheckPlace, memberOf, readRecords } from './read-records.ts';

/** What is wrong with a content whose fingerprint is known; `undefined` where nothing is. */
function checkContent(
  collection: string,
  record: StoredRecord,
  expected: unknown,
): Finding | undefined {
  const content = memberOf(bodyOf(record)?.value, 'content');
  const { key } = record;
  const repair = quarantineOf(collection, record);
  if (typeof content !== 'string') {
    return { kind: 'broken-record', collection, key, what: 'it holds no content', repair };
  }
  if (fingerprint(content) === expected) return undefined;
  const what = 'its content is not what was saved';
  return { kind: 'wrong-checksum', collection, key, what, repair };
}

/** Compares every item with the checksum it was saved under. */
export async function* checkItems(place: CheckPlace): AsyncGenerator<Found, void, undefined> {
  for await (const read of readRecords(place, 'items')) {
    if ('broken' in read) yield unreadable('items', read.broken, read.reason);
    else {
      const { record } = read;
      const finding = checkContent('items', record, record.columns['fingerprint']);
      if (finding !== undefined) yield finding;
    }
  }
}

/** Number of the oldest checkpoint by agent; an agent without one is missing. */
async function oldestCheckpoints({ backend, tenant }: CheckPlace): Promise<Map<string, number>> {
  const oldest = new Map<string, number>();
  const query = { collection: 'checkpoints', index: 'key', equal: [tenant] } as const;
  for await (const { key } of backend.scan({ ...query, part: 'columns' })) {
    const [, agent = '', sequence = ''] = key;
    if (!oldest.has(agent)) oldest.set(agent, Number(sequence));
  }
  return oldest;
}

/** Checks the contents that are kept for checkpoints: each as it was, and named by one that is still there. */
export async function* checkKeptContents(
  place: CheckPlace,
): AsyncGenerator<Found, void, undefined> {
  const collection = 'item_contents';
  const oldest = await oldestCheckpoints(place);
  for await (const read of readRecords(place, collection)) {
    if ('broken' in read) {
      yield unreadable(collection, read.broken, read.reason);
      continue;
    }
    const { record } = read;
    const finding = checkContent(collection, record, record.key[3]);
    const first = oldest.get(record.key[1] ?? '');
    if (finding !== undefined) yield finding;
    else if (first === undefined || Number(record.columns['until_sequence']) < first) {
      const repair = removalOf(collection, record);
      const what = 'no checkpoint names this content any more';
      yield { kind: 'orphan', collection, key: record.key, what, repair };
    }
  }
}
