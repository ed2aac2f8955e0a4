import type { RecordPart, StoredRecord } from './store-backend.ts';

/** A record that its reader may change. Copies the columns. */
export function copyRecord(record: StoredRecord, part: RecordPart = 'whole'): StoredRecord {
  return {
    key: [...record.key],
    version: record.version,
    columns: { ...record.columns },
    body: part === 'whole' ? record.body : '',
  };
}
