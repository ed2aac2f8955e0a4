import type { Finding } from './finding.ts';
import { type CheckPlace, readRecords } from './read-records.ts';

const collection = 'purges';

/** Names the purges that were begun and have not ended: cut off, or running just now. */
export async function* checkPurges(place: CheckPlace): AsyncGenerator<Finding, void, undefined> {
  for await (const read of readRecords(place, collection)) {
    const { key, columns } = 'record' in read ? read.record : read.broken;
    if (columns['stage'] === 'ended') continue;
    const startedAt = new Date(Number(columns['started_at'])).toISOString();
    const what = `a purge that began at ${startedAt} has not ended`;
    yield { kind: 'unfinished-purge', collection, key, what };
  }
}
