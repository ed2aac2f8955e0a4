import { purgeMarks } from '../purge/purge-mark.ts';
import type { Finding } from './finding.ts';
import { type CheckPlace, readRecords } from './read-records.ts';

/** Names the purges that were begun and have not ended: cut off, or running just now. */
export async function* checkPurges(place: CheckPlace): AsyncGenerator<Finding, void, undefined> {
  for await (const read of readRecords(place, purgeMarks)) {
    const { key, columns } = 'record' in read ? read.record : read.broken;
    const startedAt = new Date(Number(columns['started_at'])).toISOString();
    const what = `a purge that began at ${startedAt} has not ended`;
    yield { kind: 'unfinished-purge', collection: purgeMarks, key, what };
  }
}
