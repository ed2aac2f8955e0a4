import { crc32 } from 'node:zlib';
import { storedChecksumOf } from '../files/file-checksum.ts';
import { decodeRecordFile, editedRecordOf, type RecordFile } from '../files/record-file.ts';

/** What a report says of a file that was changed on purpose. */
export const editedReason = 'the file was edited outside of ctx';

/**
 * Returns the record of a file that was edited by hand: JSON with the store's own part as it was, and a checksum that does not fit.
 * `undefined` for a file that is as it was written, and for a damaged one. One flipped bit may leave good JSON, too, so a file that one bit would
 * make whole again counts as damaged.
 * Makes one pass and a few steps for each byte, for such files only.
 */
export function editedRecord(bytes: Buffer): RecordFile | undefined {
  if (typeof decodeRecordFile(bytes) !== 'string') return undefined;
  const record = editedRecordOf(bytes);
  return record === undefined || isOneBitOff(bytes) ? undefined : record;
}

/** What editors never write into a document: bytes that are no text. */
const noText = /(?![\t\n\v\f\r])\p{Cc}/u;

/**
 * Says what is wrong with a file that was edited by hand and is no JSON any more, with its line where the parser tells it. `undefined` for JSON, and for
 * what a disk does to a file: an end that is missing, one flipped bit, bytes that are no text.
 */
export function slipIn(bytes: Buffer): string | undefined {
  if (storedChecksumOf(bytes) === undefined || isOneBitOff(bytes)) return undefined;
  const text = bytes.toString('utf8');
  if (noText.test(text) || !Buffer.from(text, 'utf8').equals(bytes)) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const position = /at position (\d+)/.exec(said)?.[1];
    if (position === undefined) return said;
    const line = text.slice(0, Number(position)).split('\n').length;
    return `${said}, line ${String(line)}`;
  }
}

/** Whether one other bit before the checksum would make it fit. */
function isOneBitOff(bytes: Buffer): boolean {
  const stored = storedChecksumOf(bytes);
  if (stored === undefined) return false;
  const wanted = (crc32(bytes.subarray(0, stored.end)) ^ stored.value) >>> 0;
  if (wanted === 0) return true;
  // A checksum is linear: what a flipped bit adds to it hangs on the number of bytes after it alone.
  const added = Array.from({ length: 8 }, (_, bit) => tableEntry(1 << bit));
  for (let behind = 0; behind < stored.end; behind += 1) {
    if (added.includes(wanted)) return true;
    for (const [bit, sum] of added.entries()) {
      added[bit] = ((sum >>> 8) ^ tableEntry(sum & 0xff)) >>> 0;
    }
  }
  return false;
}

/** CRC-32 of each byte without the inversions at its ends. Source: the reversed polynomial 0xEDB88320 of IEEE 802.3. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum >>> 0;
});

function tableEntry(byte: number): number {
  return table[byte] ?? 0;
}
