import { crc32 } from 'node:zlib';
import type { RecordKey } from '@ctx/core';
import { type RecordFile, recordIn } from './record-file.ts';

const digits = 8;
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
  const start = `{"collection":${name},"keys":${keys},"write":${String(first?.write)},"records":[`;
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

function isWhole(line: Buffer): boolean {
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

/** The records of a line, whatever spaces are behind it; undefined where it is not as it was written. Cost: one pass and a parse. */
export function decodeSegmentLine(bytes: Buffer): readonly RecordFile[] | undefined {
  const text = withoutPadding(bytes);
  if (!isWhole(text)) return undefined;
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

/** A text of JSON, in which a backslash takes the sign behind it along. */
const jsonText = String.raw`"(?:[^"\\]|\\.)*"`;
const jsonTexts = String.raw`\[(?:${jsonText},?)*\]`;
const headPattern = new RegExp(
  String.raw`^\{"collection":${jsonText},"keys":(\[(?:${jsonTexts},?)*\])`,
);

/** The records that a damaged line names at its beginning; undefined where that is damaged, too. */
export function keysOfDamaged(bytes: Buffer): readonly RecordKey[] | undefined {
  const [, keys = ''] = headPattern.exec(bytes.toString('utf8')) ?? [];
  try {
    // What the pattern lets through is a list of lists of texts.
    return JSON.parse(keys) as RecordKey[];
  } catch {
    return undefined;
  }
}
