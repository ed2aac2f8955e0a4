import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseSync } from '@photostructure/sqlite';

const batch = 1_000;

/** Characters of a result that full text sees, as the store has it. */
const searchedCharacters = 8_000;

/** The tables of the SQLite store that an import fills, with their indexes, without views and versions. */
const schema = `
CREATE TABLE events (_id INTEGER PRIMARY KEY, tenant TEXT, session TEXT, sequence TEXT, type TEXT, at INTEGER, tokens INTEGER, body TEXT);
CREATE UNIQUE INDEX events_key ON events (tenant, session, sequence);
CREATE INDEX events_type ON events (tenant, session, type, sequence);
CREATE TABLE outputs (_id INTEGER PRIMARY KEY, tenant TEXT, session TEXT, id TEXT, tool TEXT, query TEXT, created INTEGER, sequence INTEGER,
  bytes INTEGER, tokens INTEGER, fingerprint TEXT, args TEXT, preview TEXT, body TEXT);
CREATE UNIQUE INDEX outputs_key ON outputs (tenant, session, id);
CREATE INDEX outputs_session ON outputs (tenant, session, sequence, id);
CREATE INDEX outputs_query ON outputs (tenant, session, query, sequence, id);
CREATE INDEX outputs_fingerprint ON outputs (tenant, session, fingerprint, sequence, id);
CREATE INDEX outputs_id ON outputs (tenant, id, session);
CREATE INDEX outputs_age ON outputs (tenant, created, session, id);
CREATE VIRTUAL TABLE words USING fts5(args, body, content='', tokenize='ascii');
`;

interface Line {
  readonly type: string;
  readonly timestamp: string;
  toolUseResult?: unknown;
  readonly message?: { content: unknown };
}

interface Block {
  readonly type: string;
  readonly tool_use_id?: string;
  content?: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function startInserting(
  database: InstanceType<typeof DatabaseSync>,
  hasWords: boolean,
): (line: string) => void {
  const event = database.prepare("INSERT INTO events VALUES (NULL, 't', 's', ?, ?, ?, ?, ?)");
  const output = database.prepare(
    "INSERT INTO outputs VALUES (NULL, 't', 's', ?, 'Bash', 'turn', ?, ?, ?, ?, ?, '{}', ?, ?)",
  );
  const words = database.prepare('INSERT INTO words (rowid, args, body) VALUES (?, ?, ?)');
  let records = 0;
  let outputs = 0;
  const addResult = (content: string, at: number): void => {
    const tokens = Math.ceil(content.length / 4);
    const place = outputs;
    outputs += 1;
    const preview = content.slice(0, 400);
    const body = JSON.stringify({ args: {}, result: content });
    const sum = sha256(content);
    const row = [`id-${sum.slice(0, 12)}-${String(place)}`, at, place, content.length, tokens, sum];
    const { lastInsertRowid } = output.run(...row, preview, body);
    if (!hasWords) return;
    words.run(lastInsertRowid, 'bash', content.slice(0, searchedCharacters).toLowerCase());
  };
  return (line) => {
    // The lines are those that this bench makes.
    const value = JSON.parse(line) as Line;
    const at = Date.parse(value.timestamp);
    const { message } = value;
    const blocks = Array.isArray(message?.content) ? (message.content as Block[]) : [];
    for (const block of blocks) {
      if (block.type !== 'tool_result') continue;
      addResult(block.content ?? '', at);
      block.content = '';
    }
    delete value.toolUseResult;
    const body = JSON.stringify({ sha256: sha256(line), ...value });
    const sequence = String(records).padStart(12, '0');
    event.run(sequence, value.type, at, Math.ceil(body.length / 4), body);
    records += 1;
  };
}

/**
 * The least that an import can cost which keeps what ours keeps: every line parsed and hashed, written without its results, each result
 * a row with its fingerprint, in the tables of the SQLite store with their indexes and full text, 1,000 lines a transaction. Tokens are a
 * quarter of the characters; nothing is redacted, checked, or can go on. Without words nothing is taken into the full text.
 */
export async function insertIndexed(
  path: string,
  databasePath: string,
  { hasWords = true }: { readonly hasWords?: boolean } = {},
): Promise<number> {
  const database = new DatabaseSync(databasePath);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  database.exec('PRAGMA secure_delete = ON; PRAGMA cache_size = -16000');
  database.exec(schema);
  const insert = startInserting(database, hasWords);
  let records = 0;
  database.exec('BEGIN IMMEDIATE');
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    insert(line);
    records += 1;
    if (records % batch === 0) database.exec('COMMIT; BEGIN IMMEDIATE');
  }
  database.exec('COMMIT');
  database.close();
  return records;
}
