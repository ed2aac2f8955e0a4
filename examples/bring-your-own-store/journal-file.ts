import { open, readFile } from 'node:fs/promises';
import type { StoredRecord } from '@ctx/store/backend';
import type { Records } from './journal-records.ts';

/** What one write changed: names with their records, null where a record is gone. */
export type Changes = readonly (readonly [name: string, record: StoredRecord | null])[];

/** A file of one line per write. */
export interface JournalFile {
  /** What the file held when it was opened. */
  readonly records: Records;
  /** Resolves when the line is on the disk. */
  readonly append: (changes: Changes) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Reads the journal and opens it for more. What follows the last line break was never acknowledged: it goes. */
export async function openJournal(path: string): Promise<JournalFile> {
  const file = await open(path, 'a', 0o600);
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  await file.truncate(Buffer.byteLength(lines.map((line) => `${line}\n`).join('')));
  const records: Records = new Map();
  for (const line of lines) {
    for (const [name, record] of JSON.parse(line) as Changes) {
      if (record === null) records.delete(name);
      else records.set(name, record);
    }
  }
  return {
    records,
    append: async (changes) => {
      await file.appendFile(`${JSON.stringify(changes)}\n`);
      await file.datasync();
    },
    close: () => file.close(),
  };
}
