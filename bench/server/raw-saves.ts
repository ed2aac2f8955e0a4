/**
 * The least code that saves items as the server does, with the driver alone: the same tables and settings, the same rows in as large
 * transactions, with its words and its event, the oldest of 10,000 events taken away. It checks nothing, and
 * knows nothing of tenants, tokens, other processes or failures.
 */
import { createHash, randomBytes } from 'node:crypto';
import { defaultImportancePolicy, rankOf } from '@ctx/core';
import { searchWords } from '@ctx/relevance';
import { storeCollections } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';

const keptEvents = 10_000;
const trimEvery = 256;

const settings = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'secure_delete = ON',
  'cache_size = -16000',
  'wal_autocheckpoint = 4000',
];

const columns =
  'tenant, agent_id, item_id, kind, rank, access_count, created_at, last_accessed_at, pinned, archived, fingerprint, tokens, ' +
  'updated_at, ranked_at, finished_at, weight, source, trust, session_id, _version, _words, _body';

type Database = InstanceType<typeof DatabaseSync>;

interface Save {
  readonly kind: string;
  readonly content: string;
  readonly done: (id: string) => void;
}

/** Writes items as rows. */
export interface RawSaves {
  /** Resolves with the item's id once it is committed, with all that came in the same turn of the loop. */
  save(kind: string, content: string): Promise<string>;
  close(): void;
}

function sequencePart(sequence: number): string {
  return String(sequence).padStart(12, '0');
}

/** An id that rises with time, as those of the server do. */
function newId(now: number): string {
  return (
    now.toString(36).padStart(9, '0').slice(0, 9) + randomBytes(9).toString('hex').slice(0, 11)
  );
}

function prepareRows(database: Database) {
  const places = columns.split(', ').fill('?').join(', ');
  const item = database.prepare(`INSERT INTO items (${columns}) VALUES (${places})`);
  const words = database.prepare(
    `INSERT INTO "items$$words" (rowid, scope, in_content) VALUES (?, ?, ?)`,
  );
  const event = database.prepare(
    `INSERT INTO live_events (tenant, sequence, type, at, agent_id, session_id, _version, _words, _body)
      VALUES ('default', ?, 'item-saved', ?, 'new', NULL, 1, 0, ?)`,
  );
  return (id: string, sequence: number, { kind, content }: Save): void => {
    const now = Date.now();
    const ages = { createdAt: now, lastAccessedAt: now, accessCount: 0 };
    const rank = rankOf({ kind, pinned: false, ...ages }, defaultImportancePolicy);
    const print = createHash('sha256').update(content).digest('hex');
    const counts = [kind, rank, 0, now, now, 0, 0, print, 6, now, now];
    const body = JSON.stringify({ content });
    const rest = [null, null, 'unknown', 'untrusted', null, 1, 1, body];
    const { lastInsertRowid } = item.run('default', 'new', id, ...counts, ...rest);
    words.run(lastInsertRowid, 'kdefault kdefaultnew', searchWords(content).join(' '));
    event.run(sequencePart(sequence), now, JSON.stringify({ agentId: 'new', id, tokens: 6 }));
  };
}

/** Makes the tables of a store in a new file, and writes to them by hand. */
export async function rawSaves(path: string): Promise<RawSaves> {
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  await backend.close();
  const database = new DatabaseSync(path);
  for (const setting of settings) database.exec(`PRAGMA ${setting}`);
  const insert = prepareRows(database);
  const trim = database.prepare(
    `DELETE FROM live_events WHERE tenant = 'default' AND sequence <= ?`,
  );
  let saves: Save[] = [];
  let sequence = 0;
  const flush = (): void => {
    const now = saves;
    saves = [];
    database.exec('BEGIN IMMEDIATE');
    const before = sequence;
    const ids = now.map((save) => {
      const id = newId(Date.now());
      sequence += 1;
      insert(id, sequence, save);
      return id;
    });
    if (Math.floor(before / trimEvery) < Math.floor(sequence / trimEvery))
      trim.run(sequencePart(Math.max(0, sequence - keptEvents)));
    database.exec('COMMIT');
    for (const [at, { done }] of now.entries()) done(ids[at] ?? '');
  };
  return {
    save: (kind, content) =>
      new Promise((done) => {
        if (saves.length === 0) setImmediate(flush);
        saves.push({ kind, content, done });
      }),
    close: () => {
      database.close();
    },
  };
}
