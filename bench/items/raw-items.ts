import { createHash, randomUUID } from 'node:crypto';
import { defaultImportancePolicy, rankOf, tierBorder } from '@ctx/core';
import { DatabaseSync } from '@photostructure/sqlite';
import { benchAgent } from './fill-items.ts';

/**
 * The least code that does the same with the driver alone, on the same file: no checks, no redaction, no counting of tokens, no
 * queue of calls.
 */
export interface RawItems {
  hot(limit: number, now: number): number;
  stats(now: number): number;
  kind(kind: string, limit: number): number;
  get(id: string): string;
  save(kind: string, content: string, now: number): void;
  touch(id: string, now: number): void;
  close(): void;
}

const given = [
  'tenant',
  'agent_id',
  'item_id',
  'kind',
  'rank',
  'access_count',
  'created_at',
  'last_accessed_at',
  'pinned',
  'archived',
  'fingerprint',
  'tokens',
  'updated_at',
  'ranked_at',
  'source',
  'trust',
  '_version',
  '_words',
  '_body',
];

const where = `tenant = 'default' AND agent_id = '${benchAgent}' AND archived = 0`;

type Database = InstanceType<typeof DatabaseSync>;

/** The rows read whole, as whoever reads them would. */
function readAll(rows: readonly unknown[]): number {
  for (const row of rows) {
    if (typeof row === 'object' && row !== null && '_body' in row) JSON.parse(String(row._body));
  }
  return rows.length;
}

function readings(database: Database): Pick<RawItems, 'hot' | 'stats' | 'kind' | 'get'> {
  const hot = database.prepare(
    `SELECT * FROM items WHERE ${where} AND rank >= ? ORDER BY rank DESC LIMIT ?`,
  );
  const kind = database.prepare(
    `SELECT * FROM items WHERE ${where} AND kind = ? ORDER BY rank DESC LIMIT ?`,
  );
  const stats = database.prepare(
    `SELECT rank >= ? AS hot, rank >= ? AS warm, count(*) AS n, sum(tokens) AS tokens FROM items WHERE ${where} GROUP BY 1, 2`,
  );
  const one = database.prepare(
    `SELECT * FROM items WHERE tenant = 'default' AND agent_id = '${benchAgent}' AND item_id = ?`,
  );
  const policy = defaultImportancePolicy;
  return {
    hot: (limit, now) => readAll(hot.all(tierBorder('hot', now, policy), limit)),
    stats: (now) =>
      stats.all(tierBorder('hot', now, policy), tierBorder('warm', now, policy)).length,
    kind: (name, limit) => readAll(kind.all(name, limit)),
    get: (id) => {
      const row: unknown = one.get(id);
      if (typeof row !== 'object' || row === null || !('_body' in row)) return '';
      return String(JSON.parse(String(row._body)));
    },
  };
}

function writings(database: Database): Pick<RawItems, 'save' | 'touch'> {
  const places = given.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO items (${given.join(', ')}) VALUES (${places})`);
  const addWords = database.prepare(
    'INSERT INTO "items$$words" (rowid, scope, in_content) VALUES (?, ?, ?)',
  );
  const find = database.prepare(
    `SELECT _id, kind, access_count, created_at FROM items WHERE tenant = 'default' AND agent_id = '${benchAgent}' AND item_id = ?`,
  );
  const update = database.prepare(
    'UPDATE items SET rank = ?, access_count = ?, last_accessed_at = ?, ranked_at = ?, _version = _version + 1 WHERE _id = ?',
  );
  const inTransaction = (work: () => void): void => {
    database.exec('BEGIN IMMEDIATE');
    work();
    database.exec('COMMIT');
  };
  const rankNow = (kind: string, accessCount: number, now: number): number =>
    rankOf(
      { kind, accessCount, pinned: false, createdAt: now, lastAccessedAt: now },
      defaultImportancePolicy,
    );
  return {
    save: (kind, content, now) => {
      const print = createHash('sha256').update(JSON.stringify(content)).digest('hex');
      const ages = [rankNow(kind, 0, now), 0, now, now, 0, 0];
      const body = JSON.stringify({ content });
      const rest = [print, 100, now, now, 'assistant', 'derived', 1, 1, body];
      const words = content.toLowerCase();
      inTransaction(() => {
        const made = insert.run('default', benchAgent, randomUUID(), kind, ...ages, ...rest);
        addWords.run(Number(made.lastInsertRowid), 'k1 k2', words);
      });
    },
    touch: (id, now) => {
      inTransaction(() => {
        // The driver's types say nothing of a row.
        const row = Object.values((find.get(id) ?? {}) as Readonly<Record<string, unknown>>);
        const count = Number(row[2]) + 1;
        update.run(rankNow(String(row[1]), count, now), count, now, now, Number(row[0]));
      });
    },
  };
}

/** Opens the store's file with the store's settings. */
export function openRawItems(path: string): RawItems {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA busy_timeout=5000');
  return {
    ...readings(database),
    ...writings(database),
    close: () => {
      database.close();
    },
  };
}
