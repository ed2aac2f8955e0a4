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
const charactersEach = 32 / bits;
const sealCharacters = 2 * charactersEach;
/** A text that ends with so much white space had a seal, whatever has happened to the rest of it. */
const fewestSigns = 24;
/** Gzip ignores what comes after its end if that begins with a zero. */
const sealBytes = 9;

/** The checksums of a body as it is stored. */
export function sealOf(
  { collection, key, columns }: SealedRecord,
  body: string | Uint8Array,
): Seal {
  const place = crc32(JSON.stringify([collection, ...key]));
  const given = Object.entries(columns).filter(([, value]) => value !== null);
  const sorted = given.sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    body: crc32(body, place),
    columns: crc32(JSON.stringify(sorted.map(([name, value]) => [name, value === 0 ? 0 : value]))),
  };
}

function signsOf(checksum: number): string {
  let text = '';
  for (let at = 0; at < charactersEach; at += 1) {
    text += signs.charAt((checksum >>> (at * bits)) & 3);
  }
  return text;
}

function checksumOf(text: string, from: number): number {
  let checksum = 0;
  for (let at = 0; at < charactersEach; at += 1) {
    checksum |= signs.indexOf(text.charAt(from + at)) << (at * bits);
  }
  return checksum >>> 0;
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

/** Takes the seal off a text. */
export function openText(stored: string): OpenedSeal<string> {
  const from = stored.length - sealCharacters;
  let found = 0;
  for (let at = Math.max(0, from); at < stored.length; at += 1) {
    if (signs.includes(stored.charAt(at))) found += 1;
  }
  if (found < fewestSigns) return { body: stored, seal: undefined };
  if (found < sealCharacters) return { body: stored, seal: 'damaged' };
  const seal = {
    body: checksumOf(stored, from),
    columns: checksumOf(stored, from + charactersEach),
  };
  return { body: stored.slice(0, from), seal };
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
