import { createHash, randomUUID } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * The least code that keeps what ctx promises of an output in SQLite: one transaction that checks order and sameness, a SHA-256 of the
 * result, the columns of a pointer, the five indexes, and the note that its words are still to be found. It encodes, redacts, checks
 * and counts nothing.
 */
export interface HandWritten {
  save(index: number, text: string): void;
  close(): void;
}

const columns =
  'tool_name description path query_id task_id created_at sequence bytes tokens lines fingerprint pinned trimmed_args preview content_of content_users searched_characters'.split(
    ' ',
  );

const layout = [
  `CREATE TABLE outputs (id INTEGER PRIMARY KEY, tenant TEXT, session_id TEXT, output_id TEXT, ${columns.join(', ')}, version INTEGER, words INTEGER, body)`,
  'CREATE UNIQUE INDEX by_key ON outputs (tenant, session_id, output_id)',
  'CREATE INDEX by_session ON outputs (tenant, session_id, sequence, output_id)',
  'CREATE INDEX by_fingerprint ON outputs (tenant, session_id, fingerprint, sequence, output_id)',
  'CREATE INDEX by_id ON outputs (tenant, output_id, session_id)',
  'CREATE INDEX by_age ON outputs (tenant, created_at, session_id, output_id)',
  'CREATE TABLE waiting (id INTEGER PRIMARY KEY)',
];

/** Opens a database with the settings of the SQLite store. */
export function openHandWritten(path: string): HandWritten {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON');
  for (const sql of layout) database.exec(sql);
  const places = Array.from({ length: columns.length + 6 }, () => '?').join(', ');
  const insert = database.prepare(
    `INSERT INTO outputs (tenant, session_id, output_id, ${columns.join(', ')}, version, words, body) VALUES (${places})`,
  );
  const wait = database.prepare('INSERT INTO waiting (id) VALUES (?)');
  const newer = database.prepare(
    'SELECT 1 FROM outputs INDEXED BY by_session WHERE tenant = ? AND session_id = ? AND sequence > ? LIMIT 1',
  );
  const same = database.prepare(
    'SELECT 1 FROM outputs INDEXED BY by_fingerprint WHERE tenant = ? AND session_id = ? AND fingerprint = ? LIMIT 1',
  );
  return {
    save(index, text) {
      const result = JSON.stringify(text);
      const fingerprint = createHash('sha256').update(result).digest('hex');
      const id = `Bash_${fingerprint.slice(0, 8)}_${String(Date.now())}_${String(index)}_${randomUUID()}`;
      const args = `{"index":${String(index)}}`;
      const about = ['Bash', `Bash ${args}`, null, null, null, Date.now(), index, text.length];
      const rest = [text.length, 1, fingerprint, 0, args, text.slice(0, 400), null, 0, 8000];
      const body = `{"args":${args},"result":${result}}`;
      database.exec('BEGIN IMMEDIATE');
      newer.get('default', 's', index - 1);
      same.get('default', 's', fingerprint);
      insert.run('default', 's', id, ...about, ...rest, 1, 1, body);
      wait.run(index + 1);
      database.exec('COMMIT');
    },
    close: () => {
      database.close();
    },
  };
}
