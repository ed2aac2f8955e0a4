import { crc32 } from 'node:zlib';
import type { ColumnValue, RecordKey } from '@ctx/store/backend';

/** What a body belongs to. */
export interface SealedRecord {
  readonly collection: string;
  readonly key: RecordKey;
  readonly columns: Readonly<Record<string, ColumnValue>>;
}

/** The checksums of a body: of where it belongs and what it holds, and of the columns that it was put with. */
export interface Seal {
  readonly body: number;
  readonly columns: number;
}

/** What is stored: the body, and its seal unless an older ctx or a person wrote it. `damaged`: of a seal, a part is left. */
export interface OpenedSeal<Body> {
  readonly body: Body;
  readonly seal: Seal | 'damaged' | undefined;
}

/** JSON may end with white space, so that every program reads a sealed body: each character stands for two bits. */
const signs = ' \t\n\r';
const bits = 2;
const notASign = 255;
/** The two bits of a sign, by its code; {@link notASign} for other characters. */
const signValues = new Uint8Array(128).fill(notASign);
for (let value = 0; value < signs.length; value += 1) signValues[signs.charCodeAt(value)] = value;
const charactersEach = 32 / bits;
const sealCharacters = 2 * charactersEach;
/** A text that ends with so much white space had a seal, whatever has happened to the rest of it. */
const fewestSigns = 24;
/** Gzip ignores what comes after its end if that begins with a zero. */
const sealBytes = 9;

/** A shorter text is copied sooner than a second call is made. */
const copiedUpTo = 4096;

const quoteCode = '"'.charCodeAt(0);
const backslashCode = '\\'.charCodeAt(0);

/** What all records of the place that was named last have in common, as JSON. */
let knownPlace:
  | { readonly collection: string; readonly parts: RecordKey; readonly begin: string }
  | undefined;

/** `["collection","part","part"]`: records come by the thousand whose keys differ in their last part alone. */
function placeText(collection: string, key: RecordKey): string {
  const last = key.length - 1;
  const known = knownPlace;
  const isKnown =
    known?.collection === collection &&
    known.parts.length === key.length &&
    known.parts.every((part, at) => at === last || part === key[at]);
  if (!isKnown) {
    const begin = `${JSON.stringify([collection, ...key.slice(0, last)]).slice(0, -1)},`;
    knownPlace = { collection, parts: key, begin };
  }
  return `${knownPlace?.begin ?? ''}${JSON.stringify(key[last])}]`;
}

/** The checksum of a body as it is stored, and of where it belongs. */
export function bodyChecksum(
  { collection, key }: Omit<SealedRecord, 'columns'>,
  body: string | Uint8Array,
): number {
  const place = placeText(collection, key);
  const isShort = typeof body === 'string' && body.length < copiedUpTo;
  return isShort ? crc32(place + body) : crc32(body, crc32(place));
}

/** CRC-32 goes on byte by byte here: for the few characters of a column a call of zlib takes longer. */
const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The state of a CRC-32, which is its complement, after one more byte. */
const nextState = (state: number, byte: number): number =>
  (crcTable[(state ^ byte) & 255] ?? 0) ^ (state >>> 8);

function afterText(before: number, text: string): number {
  let state = before;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128) return ~crc32(text.slice(at), ~state >>> 0);
    state = nextState(state, code);
  }
  return state;
}

/** After the text as `JSON.stringify` writes it. */
function afterQuoted(before: number, text: string): number {
  let state = nextState(before, quoteCode);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPlain = code >= 32 && code < 128 && code !== quoteCode && code !== backslashCode;
    if (!isPlain) return afterText(before, JSON.stringify(text));
    state = nextState(state, code);
  }
  return nextState(state, quoteCode);
}

/** The checksum of the columns that a record was put with: of JSON, a list of those that are not null with their names. */
export function columnsChecksum({
  collection,
  columns,
}: Pick<SealedRecord, 'collection' | 'columns'>): number {
  let state = -1;
  let isFirst = true;
  for (const { name, first, next } of sortedNames(collection, columns)) {
    const value = columns[name] ?? null;
    if (value === null) continue;
    state = afterText(state, isFirst ? first : next);
    isFirst = false;
    // As `JSON.stringify` writes it, with -0 as 0.
    state = typeof value === 'string' ? afterQuoted(state, value) : afterText(state, String(value));
  }
  return ~afterText(state, isFirst ? '[]' : ']]') >>> 0;
}

/** The checksums of a body as it is stored. */
export function sealOf(record: SealedRecord, body: string | Uint8Array): Seal {
  return { body: bodyChecksum(record, body), columns: columnsChecksum(record) };
}

interface SealedName {
  readonly name: string;
  /** What stands before its value, if it is the first. */
  readonly first: string;
  /** What stands before its value, if it is not. */
  readonly next: string;
}

interface NameOrder {
  readonly given: readonly string[];
  readonly sorted: readonly SealedName[];
}

/** The orders of names of the records that were read last, by collection: nearly all of them have the same. */
const knownOrders = new Map<string, NameOrder>();
const mostKnownOrders = 200;

function isGiven({ given }: NameOrder, columns: SealedRecord['columns']): boolean {
  let at = 0;
  for (const name in columns) {
    if (name !== given[at]) return false;
    at += 1;
  }
  return at === given.length;
}

/** The names of columns in the order of their checksum. */
function sortedNames(collection: string, columns: SealedRecord['columns']): readonly SealedName[] {
  const known = knownOrders.get(collection);
  if (known !== undefined && isGiven(known, columns)) return known.sorted;
  const given = Object.keys(columns);
  const sorted = given
    .toSorted((left, right) => (left < right ? -1 : 1))
    .map((name) => ({ name, first: `[["${name}",`, next: `],["${name}",` }));
  if (knownOrders.size >= mostKnownOrders) knownOrders.clear();
  knownOrders.set(collection, { given, sorted });
  return sorted;
}

function signsOf(checksum: number): string {
  let text = '';
  for (let at = 0; at < charactersEach; at += 1) {
    text += signs.charAt((checksum >>> (at * bits)) & 3);
  }
  return text;
}

/** Adds the seal to a body. */
export function withSeal(body: string | Uint8Array, seal: Seal): string | Uint8Array {
  if (typeof body === 'string') return body + signsOf(seal.body) + signsOf(seal.columns);
  const sealed = Buffer.alloc(body.length + sealBytes);
  sealed.set(body);
  sealed.writeUInt32BE(seal.body, body.length + 1);
  sealed.writeUInt32BE(seal.columns, body.length + 5);
  return sealed;
}

interface ReadSigns {
  readonly checksum: number;
  /** How many of the characters were signs. */
  readonly found: number;
}

function readSigns(stored: string, from: number): ReadSigns {
  let checksum = 0;
  let found = 0;
  for (let at = 0; at < charactersEach; at += 1) {
    const value = signValues[stored.charCodeAt(from + at)] ?? notASign;
    if (value === notASign) continue;
    found += 1;
    checksum |= value << (at * bits);
  }
  return { checksum: checksum >>> 0, found };
}

/** Takes the seal off a text. */
export function openText(stored: string): OpenedSeal<string> {
  const from = stored.length - sealCharacters;
  const body = readSigns(stored, from);
  const columns = readSigns(stored, from + charactersEach);
  const found = body.found + columns.found;
  if (found < fewestSigns) return { body: stored, seal: undefined };
  if (found < sealCharacters) return { body: stored, seal: 'damaged' };
  return {
    body: stored.slice(0, from),
    seal: { body: body.checksum, columns: columns.checksum },
  };
}

/** Where the bytes of gzip end: they say at their end how long the text is. `undefined` if neither fits. */
function gzipEnd(stored: Buffer, textBytes: number): number | undefined {
  const length = textBytes % 2 ** 32;
  for (const end of [stored.length, stored.length - sealBytes]) {
    if (end >= 4 && stored.readUInt32LE(end - 4) === length) return end;
  }
  return undefined;
}

/** Takes the seal off bytes of gzip, which have a checksum of their own whether they are sealed or not. */
export function openBytes(stored: Uint8Array, textBytes: number): OpenedSeal<Uint8Array> {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const end = gzipEnd(bytes, textBytes);
  if (end === undefined) return { body: stored, seal: 'damaged' };
  const body = bytes.subarray(0, end);
  if (end === bytes.length) return { body, seal: undefined };
  if (bytes[end] !== 0) return { body, seal: 'damaged' };
  return {
    body,
    seal: { body: bytes.readUInt32BE(end + 1), columns: bytes.readUInt32BE(end + 5) },
  };
}
