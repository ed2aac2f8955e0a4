import { crc32 } from 'node:zlib';
import type { RecordKey } from '@ctx/store/backend';
import { type RecordFile, recordIn } from './record-file.ts';

const digits = 8;
/** What is before the names of a line's records. */
export const keysStart = ',"keys":';
/** What is after them. */
export const keysEnd = '],"write":';
const sealStart = '],"crc32":"';
const lineEnd = '"}';
const space = 0x20;

/** The body as it stands in the line: as it is where parsing gives it back exactly, else as a text. */
function bodyText(body: string): string {
  try {
    if (JSON.stringify(JSON.parse(body)) === body) return `"body":${body}`;
  } catch {
    // No JSON, or nested too deeply for the parser.
  }
  return `"text":${JSON.stringify(body)}`;
}

function recordText({ version, columns, words, body }: RecordFile): string {
  const [at, text] = [JSON.stringify(columns), JSON.stringify(words)];
  return `{"version":${String(version)},"columns":${at},"words":${text},${bodyText(body)}}`;
}

/**
 * The new records of one write as one line of JSON, with a checksum and without the end of the line: all of them are whole, or none is.
 * `records` are of one collection and one write, and at least one.
 */
export function encodeSegmentLine(records: readonly RecordFile[]): Buffer {
  const [first] = records;
  const name = JSON.stringify(first?.collection);
  const keys = JSON.stringify(records.map(({ key }) => key));
  const write = String(first?.write);
  const start = `{"collection":${name}${keysStart}${keys},"write":${write},"records":[`;
  const text = `${start}${records.map(recordText).join(',')}${sealStart}`;
  const bytes = Buffer.from(`${text}${'0'.repeat(digits)}${lineEnd}`, 'utf8');
  const end = bytes.length - lineEnd.length - digits;
  bytes.write(checksumOf(bytes.subarray(0, end)), end, 'latin1');
  return bytes;
}

function checksumOf(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(digits, '0');
}

function withoutPadding(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === space) end--;
  return bytes.subarray(0, end);
}

/** Whether a line is as it was written, whatever spaces are after it. Makes one pass. */
export function isWholeLine(bytes: Buffer): boolean {
  const line = withoutPadding(bytes);
  const end = line.length - lineEnd.length - digits;
  if (end < 0 || line.toString('latin1', end + digits) !== lineEnd) return false;
  return line.toString('latin1', end, end + digits) === checksumOf(line.subarray(0, end));
}

type Members = Partial<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOf(line: Members, key: unknown, member: unknown): RecordFile | undefined {
  if (!isMembers(member)) return undefined;
  const { collection, write } = line;
  const { version, columns, words, body, text } = member;
  const content = typeof text === 'string' ? text : JSON.stringify(body);
  return recordIn({ collection, write, key, version, columns, words }, content);
}

/** The records of a line, whatever spaces are after it; undefined where it is not as it was written. Makes one pass and parses once. */
export function decodeSegmentLine(bytes: Buffer): readonly RecordFile[] | undefined {
  const text = withoutPadding(bytes);
  if (!isWholeLine(text)) return undefined;
  try {
    const line: unknown = JSON.parse(text.toString('utf8'));
    if (!isMembers(line) || !Array.isArray(line['keys'])) return undefined;
    const { keys, records } = line;
    if (!Array.isArray(records) || records.length !== keys.length) return undefined;
    const found = records.map((member, at) => recordOf(line, keys[at], member));
    const known = found.filter((record) => record !== undefined);
    return known.length === found.length ? known : undefined;
  } catch {
    return undefined;
  }
}

/** Whether nothing is in the line but spaces. */
export function isBlankLine(bytes: Buffer): boolean {
  return withoutPadding(bytes).length === 0;
}

function isKey(value: unknown): value is RecordKey {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/**
 * The records that a line names at its beginning, damaged or not; undefined where that cannot be read.
 * Parses no more than the names.
 */
export function keysInLine(bytes: Buffer): readonly RecordKey[] | undefined {
  const from = bytes.indexOf(keysStart);
  // Within a text the quotation marks would have backslashes.
  const to = bytes.indexOf(keysEnd, from);
  if (from === -1 || to === -1) return undefined;
  try {
    const keys: unknown = JSON.parse(bytes.toString('utf8', from + keysStart.length, to + 1));
    return Array.isArray(keys) && keys.every(isKey) ? keys : undefined;
  } catch {
    return undefined;
  }
}
