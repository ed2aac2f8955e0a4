import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseSync } from '@photostructure/sqlite';

const batch = 1_000;

/**
 * The least that keeping a log durably can cost: every line parsed, and inserted as it is into one table, 1,000 a transaction, with
 * the settings of the SQLite store. No hashes, no tokens, no redaction, no search, no outputs.
 */
export async function insertLines(path: string, databasePath: string): Promise<number> {
  const database = new DatabaseSync(databasePath);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  database.exec(
    'CREATE TABLE lines (session TEXT, place INTEGER, body TEXT, PRIMARY KEY (session, place))',
  );
  const insert = database.prepare('INSERT INTO lines VALUES (?, ?, ?)');
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let records = 0;
  database.exec('BEGIN IMMEDIATE');
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    if (value !== null) insert.run('s', records, line);
    records += 1;
    if (records % batch === 0) database.exec('COMMIT; BEGIN IMMEDIATE');
  }
  database.exec('COMMIT');
  database.close();
  return records;
}
