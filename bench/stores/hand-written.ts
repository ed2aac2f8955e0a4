import { createHash, randomUUID } from 'node:crypto';
import { approximateTokens } from '@ctx/tokens/approximate';
import { DatabaseSync } from '@photostructure/sqlite';

/** What a save promises beyond a row with a body, in the order in which the bench adds it up. */
export const promises = [
  'pointer columns',
  'secure delete',
  'indexes',
  'fingerprint',
  'order and sameness',
  'words to find',
  'tokens',
] as const;

export type SavePromise = (typeof promises)[number];

/**
 * The least code that keeps what ctx promises of an output in SQLite, or some of it: one transaction that checks order and sameness,
 * a SHA-256 of the result, the columns of a pointer, the five indexes, and the note that its words are still to be found. It encodes,
 * redacts and checks nothing.
 */
export interface HandWritten {
  save(index: number, text: string): void;
  close(): void;
}

/** All promises but the counting of tokens, which costs as much as all others together. */
export const countingNothing: readonly SavePromise[] = promises.filter((one) => one !== 'tokens');

const columns =
  'tool_name description path query_id task_id created_at sequence bytes tokens lines fingerprint pinned trimmed_args preview content_of content_users searched_characters'.split(
    ' ',
  );

const indexes = [
  'CREATE INDEX by_session ON outputs (tenant, session_id, sequence, output_id)',
  'CREATE INDEX by_fingerprint ON outputs (tenant, session_id, fingerprint, sequence, output_id)',
  'CREATE INDEX by_id ON outputs (tenant, output_id, session_id)',
  'CREATE INDEX by_age ON outputs (tenant, created_at, session_id, output_id)',
];

function layoutOf(kept: ReadonlySet<SavePromise>): string[] {
  return [
    `PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=${kept.has('secure delete') ? 'ON' : 'OFF'}`,
    `CREATE TABLE outputs (id INTEGER PRIMARY KEY, tenant TEXT, session_id TEXT, output_id TEXT, ${columns.join(', ')}, version INTEGER, words INTEGER, body)`,
    'CREATE UNIQUE INDEX by_key ON outputs (tenant, session_id, output_id)',
    ...(kept.has('indexes') ? indexes : []),
    'CREATE TABLE waiting (id INTEGER PRIMARY KEY)',
  ];
}

/** The condition that no newer output and no equal result is there. Without the indexes it would read the whole table. */
function prepareChecks(
  database: InstanceType<typeof DatabaseSync>,
): (index: number, fingerprint: string) => void {
  const newer = database.prepare(
    'SELECT 1 FROM outputs INDEXED BY by_session WHERE tenant = ? AND session_id = ? AND sequence > ? LIMIT 1',
  );
  const same = database.prepare(
    'SELECT 1 FROM outputs INDEXED BY by_fingerprint WHERE tenant = ? AND session_id = ? AND fingerprint = ? LIMIT 1',
  );
  return (index, fingerprint) => {
    newer.get('default', 's', index - 1);
    same.get('default', 's', fingerprint);
  };
}

/** The columns of a pointer; nulls where pointers are not promised. */
function valuesOf(
  kept: ReadonlySet<SavePromise>,
  output: { readonly index: number; readonly text: string; readonly fingerprint: string },
): (string | number | null)[] {
  const { index, text, fingerprint } = output;
  if (!kept.has('pointer columns')) return columns.map(() => null);
  const args = `{"index":${String(index)}}`;
  const tokens = kept.has('tokens') ? approximateTokens(text) : 0;
  const about = ['Bash', `Bash ${args}`, null, null, null, Date.now(), index, text.length];
  return [...about, tokens, 1, fingerprint, 0, args, text.slice(0, 400), null, 0, 8000];
}

/** Opens a database with the settings of the SQLite store. */
export function openHandWritten(path: string, given: readonly SavePromise[]): HandWritten {
  const kept = new Set(given);
  const database = new DatabaseSync(path);
  for (const sql of layoutOf(kept)) database.exec(sql);
  const places = Array.from({ length: columns.length + 6 }, () => '?').join(', ');
  const insert = database.prepare(
    `INSERT INTO outputs (tenant, session_id, output_id, ${columns.join(', ')}, version, words, body) VALUES (${places})`,
  );
  const wait = database.prepare('INSERT INTO waiting (id) VALUES (?)');
  const check = kept.has('order and sameness') ? prepareChecks(database) : () => undefined;
  return {
    save(index, text) {
      const result = JSON.stringify(text);
      const fingerprint = kept.has('fingerprint')
        ? createHash('sha256').update(result).digest('hex')
        : `${randomUUID()}${randomUUID()}`;
      const id = `Bash_${fingerprint.slice(0, 8)}_${String(Date.now())}_${String(index)}_${randomUUID()}`;
      const values = valuesOf(kept, { index, text, fingerprint });
      const body = `{"args":{"index":${String(index)}},"result":${result}}`;
      database.exec('BEGIN IMMEDIATE');
      check(index, fingerprint);
      insert.run('default', 's', id, ...values, 1, 1, body);
      if (kept.has('words to find')) wait.run(index + 1);
      database.exec('COMMIT');
    },
    close: () => {
      database.close();
    },
  };
}
