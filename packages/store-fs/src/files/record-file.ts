import { CtxError } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import { type ColumnValue, isStorableText, type RecordKey } from '@ctx/store/backend';
import {
  checkFile,
  currentChecksum,
  type FileChecksum,
  memberStart,
  sealBytes,
  sealed,
} from './file-checksum.ts';

/** The member of a record's file that is the store's own. */
const reserved = '$ctx';
/** Indented text may be so many times longer than the body; deeper nesting is kept as text. */
const longestGrowth = 4;
/**
 * Begins the store's own part. No line inside of it is indented so little, and its texts hold no line ends, so that the last such
 * line of a file is where that part begins.
 */
const headLine = `\n  "${reserved}": `;
/** Begins a file whose body stands in one line. */
const lineStart = '{\n  ';
/** Says so at the end of the store's own part. */
const lineForm = '    "body": "line",\n';
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Shorter bodies are always indented, characters. */
const shortBody = 4096;
/** A longer body stands in one line if its members have so many characters on average: indenting would show no more of it. */
const longMember = 1024;
/** So many bytes hold the store's own part of most files. */
const commonHead = 4096;

/** Search words of a record by field; `later` where they are to be found in it. */
export type RecordWords = Readonly<Record<string, string>> | 'later';

/** All that a record's file holds. */
export interface RecordFile {
  readonly collection: string;
  readonly key: RecordKey;
  readonly version: number;
  /** Counter of the write that made this file; higher than in every file written before. */
  readonly write: number;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** `later`: they are to be found in the record. */
  readonly words: RecordWords;
  /** JSON text, exactly as given. */
  readonly body: string;
}

/**
 * Where the body is: its members at the top, indented or as they are in one line; a value beside `$ctx`; or text where parsing
 * would change it.
 */
type BodyForm = 'members' | 'line' | 'value' | 'text';

function formOf(value: unknown): BodyForm {
  return isRecord(value) && !Object.hasOwn(value, reserved) ? 'members' : 'value';
}

/** The file's top level without the checksum, indented; undefined where the body would not come back exactly. */
function readableText(record: RecordFile): string | undefined {
  try {
    const value: unknown = JSON.parse(record.body);
    if (JSON.stringify(value) !== record.body) return undefined;
    const form = formOf(value);
    const top = form === 'members' && isRecord(value) ? value : { value };
    const text = JSON.stringify({ ...top, [reserved]: headOf(record, form) }, null, 2);
    const limit =
      longestGrowth * (record.body.length + JSON.stringify(headOf(record, form)).length);
    return text.length > limit + 4096 ? undefined : text;
  } catch {
    // No JSON, or nested too deeply for the parser: the text itself is kept.
    return undefined;
  }
}

/** Whether the body is an object of few and long members. Searches for the ends of members and parses nothing. */
function isLongLine(body: string): boolean {
  if (body.length < shortBody || !body.startsWith('{"') || !body.endsWith('}')) return false;
  let left = body.length / longMember;
  // Within a text the sign before a quotation mark is a backslash, unless the text ends there.
  for (let at = body.indexOf(',"'); at !== -1; at = body.indexOf(',"', at + 2)) {
    left -= 1;
    if (left <= 0) return false;
  }
  return !body.includes(`"${reserved}"`) && isStorableText(body);
}

/** The file without the checksum, the body's members as they are. */
function lineText(record: RecordFile): string {
  const head = JSON.stringify({ [reserved]: headOf(record, 'line') }, null, 2);
  return `${lineStart}${record.body.slice(1, -1)},${head.slice(1)}`;
}

function headOf(record: RecordFile, form: BodyForm): Record<string, unknown> {
  const { collection, key, version, write, columns, words, body } = record;
  const text = form === 'text' ? { text: body } : {};
  return {
    format: currentChecksum.format,
    collection,
    key,
    version,
    write,
    columns,
    words,
    body: form,
    ...text,
    [currentChecksum.member]: '',
  };
}

function textOf(record: RecordFile): string {
  if (isLongLine(record.body)) return lineText(record);
  return readableText(record) ?? JSON.stringify({ [reserved]: headOf(record, 'text') }, null, 2);
}

/**
 * Writes a record as JSON: the body's own members first, indented unless they are long, then `$ctx` with key, version, columns,
 * search words and a checksum over everything before it.
 * @throws `CTX_TOO_LARGE` where the text would be longer than a string can be.
 */
export function encodeRecordFile(record: RecordFile): Buffer {
  try {
    return sealed(textOf(record));
  } catch (error) {
    const text = `a body of ${record.body.length} characters is too long for one file`;
    throw new CtxError('CTX_TOO_LARGE', text, { cause: error });
  }
}

function isWords(value: unknown): value is RecordWords {
  if (value === 'later') return true;
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');
}

function isColumns(value: unknown): value is Record<string, ColumnValue> {
  if (!isRecord(value)) return false;
  return Object.values(value).every(
    (entry) => entry === null || typeof entry === 'string' || typeof entry === 'number',
  );
}

function isKey(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

function bodyOf(bytes: Buffer, head: Record<string, unknown>): string | undefined {
  const top: unknown = head['body'] === 'text' ? {} : JSON.parse(bytes.toString('utf8'));
  return isRecord(top) ? bodyIn(top, head) : undefined;
}

function bodyIn(
  top: Readonly<Record<string, unknown>>,
  head: Readonly<Record<string, unknown>>,
): string | undefined {
  if (head['body'] === 'text') return typeof head['text'] === 'string' ? head['text'] : undefined;
  if (head['body'] === 'value') return JSON.stringify(top['value']);
  return JSON.stringify({ ...top, [reserved]: undefined });
}

/** Where the store's own part begins; -1 where there is none. */
function headAt(bytes: Buffer): number {
  // A short text is searched in less time than bytes are.
  const from = Math.max(0, bytes.length - commonHead);
  const at = bytes.toString('latin1', from).lastIndexOf(headLine);
  return at === -1 ? bytes.lastIndexOf(headLine) : from + at;
}

/** Undefined where it is not of this format. */
function recordOf(bytes: Buffer, format: number): RecordFile | undefined {
  const at = headAt(bytes);
  // The two signs after the store's own part end the file.
  const text = at === -1 ? '' : bytes.toString('utf8', at + headLine.length, bytes.length - 2);
  const head: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isRecord(head) || head['format'] !== format) return undefined;
  const body = head['body'] === 'line' ? lineOf(bytes, at) : bodyOf(bytes, head);
  return recordIn(head, body);
}

/** The body's text between the beginning and the comma in front of the store's own part. */
function lineOf(bytes: Buffer, end: number): string {
  const first = lineStart.length - 1;
  const last = end - 1;
  const signs = [bytes[first] ?? 0, bytes[last] ?? 0] as const;
  // With its braces in the bytes the text is made at once; put around it they would have it copied again.
  bytes[first] = openBrace;
  bytes[last] = closeBrace;
  const body = bytes.toString('utf8', first, end);
  [bytes[first], bytes[last]] = signs;
  return body;
}

/** A record of these members; undefined where one of them is of the wrong kind. */
export function recordIn(
  head: Record<string, unknown>,
  body: string | undefined,
): RecordFile | undefined {
  const { collection, key, version, write, columns, words } = head;
  if (typeof collection !== 'string' || body === undefined) return undefined;
  if (!isKey(key) || !isColumns(columns) || !isWords(words)) return undefined;
  if (typeof version !== 'number' || typeof write !== 'number') return undefined;
  return { collection, key, version, write, columns, words, body };
}

/** What the index knows of a record. */
export type KnownRecord = Omit<RecordFile, 'words' | 'body'>;

/** How the store's own part begins, up to the counter of the write. */
function headStart(
  { collection, key, version, write }: KnownRecord,
  { format }: FileChecksum,
): string {
  const parts = key.map((part) => `      ${JSON.stringify(part)}`).join(',\n');
  const name = JSON.stringify(collection);
  return `{
    "format": ${format},
    "collection": ${name},
    "key": [
${parts}
    ],
    "version": ${version},
    "write": ${write},
`;
}

/**
 * The body where the file is what the write made that the index knows of and the body stands in one line: its own part need
 * not be parsed then. Undefined where that is not so, or the checksum does not fit.
 */
export function knownBodyOf(bytes: Buffer, known: KnownRecord): string | undefined {
  const checksum = checkFile(bytes);
  if (typeof checksum === 'string') return undefined;
  const from = Math.max(0, bytes.length - commonHead);
  const tail = bytes.toString('latin1', from, bytes.length - sealBytes(checksum));
  const at = tail.lastIndexOf(headLine);
  if (at === -1 || !tail.endsWith(lineForm + memberStart(checksum))) return undefined;
  const start = Buffer.from(headStart(known, checksum)).toString('latin1');
  return tail.startsWith(start, at + headLine.length) ? lineOf(bytes, from + at) : undefined;
}

/** Reads a record's file back; a text that says what is wrong where it is not as it was written. */
export function decodeRecordFile(bytes: Buffer): RecordFile | string {
  const checksum = checkFile(bytes);
  if (typeof checksum === 'string') return checksum;
  try {
    return recordOf(bytes, checksum.format) ?? 'the file is no record of this format';
  } catch {
    return 'the file is no JSON';
  }
}

/**
 * The record of a file whatever its checksum and layout are: an editor may have indented it anew. Undefined where it is no JSON of this
 * format. The checksum must be there, though it need not fit.
 */
export function editedRecordOf(bytes: Buffer): RecordFile | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const top: unknown = JSON.parse(text);
    const head = isRecord(top) ? top[reserved] : undefined;
    if (!isRecord(top) || !isRecord(head) || head['format'] !== currentChecksum.format) return;
    const checksum = head[currentChecksum.member];
    if (typeof checksum !== 'string' || checksum.length !== currentChecksum.digits) return;
    return recordIn(head, bodyIn(top, head));
  } catch {
    return undefined;
  }
}
