import type { SqliteValue } from '../driver/sqlite-driver.ts';

/**
 * A number of one to nine bytes, and where it ends.
 * @throws `RangeError` where it is cut off.
 */
export function readVarint(bytes: Buffer, at: number): { readonly value: number; end: number } {
  let value = 0n;
  for (let read = 0; read < 9; read += 1) {
    const byte = bytes.readUInt8(at + read);
    if (read === 8) return { value: Number((value << 8n) | BigInt(byte)), end: at + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value: Number(value), end: at + read + 1 };
  }
  throw new RangeError('a number has no end');
}

/** Bytes of whole numbers by serial type. Source: https://www.sqlite.org/fileformat2.html#record_format */
const integerBytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOfType(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  if (type > 9) throw new RangeError('a value has a type that SQLite does not write');
  return integerBytes[type] ?? 0;
}

function integerAt(bytes: Buffer, at: number, size: number): number | bigint {
  if (size <= 6) return bytes.readIntBE(at, size);
  const value = bytes.readBigInt64BE(at);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function valueOf(type: number, bytes: Buffer, at: number): SqliteValue {
  if (type >= 12) {
    const end = at + sizeOfType(type);
    if (end > bytes.length) throw new RangeError('a value is cut off');
    return type % 2 === 1 ? bytes.toString('utf8', at, end) : bytes.subarray(at, end);
  }
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(at);
  return type >= 8 ? type - 8 : integerAt(bytes, at, sizeOfType(type));
}

/**
 * The values of a record of a table or an index.
 * @throws `RangeError` where the bytes are none.
 */
export function decodeRecord(payload: Buffer): SqliteValue[] {
  const header = readVarint(payload, 0);
  if (header.value > payload.length) throw new RangeError('the header of a record is cut off');
  const values: SqliteValue[] = [];
  let at = header.value;
  for (let from = header.end; from < header.value; ) {
    const { value: type, end } = readVarint(payload, from);
    values.push(valueOf(type, payload, at));
    at += sizeOfType(type);
    from = end;
  }
  return values;
}
