import { DatabaseSync } from '@photostructure/sqlite';

/** The SQLite driver without anything of ctx: one table, one statement a save. */
export interface RawSqlite {
  save(id: string, body: string): void;
  read(id: string): unknown;
  close(): void;
}

/** Opens a database as the SQLite store does: WAL, synchronous NORMAL. */
export function openRawSqlite(path: string): RawSqlite {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL');
  database.exec('CREATE TABLE outputs (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO outputs (id, body) VALUES (?, ?)');
  const select = database.prepare('SELECT body FROM outputs WHERE id = ?');
  return {
    save: (id, body) => {
      insert.run(id, body);
    },
    read: (id) => {
      const row: unknown = select.get(id);
      const body = typeof row === 'object' && row !== null && 'body' in row ? row.body : '';
      const value: unknown = JSON.parse(String(body));
      return value;
    },
    close: () => {
      database.close();
    },
  };
}
