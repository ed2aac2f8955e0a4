import { startEventLog } from '../../history/event-log.ts';
import { type ReadReceipt, startReadLog } from '../../read-receipt.ts';
import { readValue } from '../../sources/read-value.ts';
import type { EventDraft, TranscriptEvent } from '../../transcript.ts';
import { isRecord, type JsonRecord, parseJson, textAt } from '../../values.ts';
import { startOpenCode } from './opencode-session.ts';

/** A row of a query, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Asks the database of opencode, opened for reading only. The values are bound, never part of the text. */
export type RowQuery = (
  sql: string,
  values: readonly string[],
) => Iterable<Row> | AsyncIterable<Row>;

/** The folder `storage` of an older opencode. */
export interface OpenCodeFolder {
  /** Names of the files in a folder, such as `message/ses_1`; none where it is absent. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<Uint8Array>;
}

/** A session of opencode that is about to be read. */
export interface OpenCodeTranscript {
  /** The log. Can be read once. Its events have no place in a file. */
  readonly events: AsyncIterable<TranscriptEvent>;
  /** What was read so far; complete once `events` has ended. */
  readonly receipt: () => ReadReceipt;
}

/** A session and how to come by its messages. */
interface SessionSource {
  readonly session: JsonRecord;
  readonly messages: AsyncIterable<{
    readonly info: JsonRecord;
    readonly parts: readonly JsonRecord[];
  }>;
}

type Note = (name: string) => void;

/** The ids of the sessions of a database, oldest first. */
export async function openCodeSessionIds(query: RowQuery): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of query('SELECT id FROM session ORDER BY time_created, id', [])) {
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
}

/** Reads a session out of the database of opencode. Holds one message with its parts. */
export function readOpenCodeDatabase(query: RowQuery, sessionId: string): OpenCodeTranscript {
  return open('rows of a database', (note) => sessionOfRows(query, { sessionId, note }));
}

/** Reads a session out of the files of an older opencode. Holds one message with its parts. */
export function readOpenCodeFolder(
  folder: OpenCodeFolder,
  session: { readonly projectId: string; readonly sessionId: string },
): OpenCodeTranscript {
  return open('files of a storage folder', (note) => sessionOfFiles(folder, { ...session, note }));
}

function open(reason: string, find: (note: Note) => Promise<SessionSource>): OpenCodeTranscript {
  const log = startReadLog();
  const events = startEventLog(log);
  const place = { bytes: new Uint8Array(), offset: 0, length: 0 };
  async function* read(): AsyncGenerator<TranscriptEvent, void, undefined> {
    const { session, messages } = await find(log.note);
    const reader = startOpenCode(session);
    yield events.event(reader.start(), place);
    for await (const { info, parts } of messages) {
      const drafts: readonly EventDraft[] = reader.readMessage(info, parts);
      for (const draft of drafts) yield events.event(draft, place);
    }
  }
  return { events: read(), receipt: () => log.receipt('opencode', [reason]) };
}

/** A record of a row: its JSON, and the ids, which stand beside it. */
function recordOfRow(row: Row, note: Note): JsonRecord | undefined {
  const data = typeof row['data'] === 'string' ? parseJson(row['data']) : undefined;
  if (!isRecord(data)) note('row that does not read');
  return isRecord(data) ? { ...data, id: row['id'] } : undefined;
}

async function sessionOfRows(
  query: RowQuery,
  { sessionId, note }: { readonly sessionId: string; readonly note: Note },
): Promise<SessionSource> {
  let session: JsonRecord = { id: sessionId };
  for await (const row of query('SELECT * FROM session WHERE id = ?', [sessionId])) {
    const revert = typeof row['revert'] === 'string' ? parseJson(row['revert']) : undefined;
    session = isRecord(revert) ? { ...row, revert } : row;
  }
  async function* messages(): AsyncGenerator<{ info: JsonRecord; parts: JsonRecord[] }> {
    const sql = 'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id';
    for await (const row of query(sql, [sessionId])) {
      const parts: JsonRecord[] = [];
      const ofMessage = 'SELECT id, data FROM part WHERE message_id = ? ORDER BY id';
      for await (const part of query(ofMessage, [String(row['id'])])) {
        const record = recordOfRow(part, note);
        if (record !== undefined) parts.push(record);
      }
      const info = recordOfRow(row, note) ?? { id: row['id'] };
      yield { info, parts };
    }
  }
  return { session: withoutNulls(session), messages: messages() };
}

function withoutNulls(row: Row): JsonRecord {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

async function sessionOfFiles(
  folder: OpenCodeFolder,
  {
    projectId,
    sessionId,
    note,
  }: { readonly projectId: string; readonly sessionId: string; readonly note: Note },
): Promise<SessionSource> {
  const readRecord = async (path: string): Promise<JsonRecord | undefined> => {
    const { value } = readValue(await folder.read(path));
    // A part may be half written: the program runs.
    if (!isRecord(value)) note('file that does not read');
    return isRecord(value) ? value : undefined;
  };
  const readAll = async (path: string): Promise<JsonRecord[]> => {
    const records: JsonRecord[] = [];
    for (const name of [...(await folder.list(path))].sort()) {
      const record = await readRecord(`${path}/${name}`);
      if (record !== undefined) records.push(record);
    }
    return records;
  };
  async function* messages(): AsyncGenerator<{ info: JsonRecord; parts: JsonRecord[] }> {
    for (const info of await readAll(`message/${sessionId}`)) {
      const id = textAt(info, 'id');
      yield { info, parts: id === undefined ? [] : await readAll(`part/${id}`) };
    }
  }
  const session = await readRecord(`session/${projectId}/${sessionId}.json`);
  return { session: session ?? { id: sessionId }, messages: messages() };
}
