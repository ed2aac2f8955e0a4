import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The end of every file, after the checksum. */
const ending = '"\n  }\n}\n';
const endingBytes = Buffer.from(ending, 'latin1');

/** How a file says that it is as it was written. */
export interface FileChecksum {
  /** The version of the format that has it. */
  readonly format: number;
  /** The member that holds it, the last of the file. */
  readonly member: string;
  readonly digits: number;
  readonly of: (bytes: Uint8Array) => string;
}

/**
 * Of format 2. It finds what disks and cut off writes do to a file, as SHA-256 did, in a tenth of the time; neither tells what
 * somebody has changed on purpose.
 */
export const currentChecksum: FileChecksum = {
  format: 2,
  member: 'crc32',
  digits: 8,
  of: (bytes) => crc32(bytes).toString(16).padStart(8, '0'),
};

/** Of format 1, which is still read. */
const olderChecksum: FileChecksum = {
  format: 1,
  member: 'sha256',
  digits: 64,
  of: (bytes) => hash('sha256', bytes, 'hex'),
};

/** How a file begins the member with its checksum. */
export function memberStart({ member }: FileChecksum): string {
  return `    "${member}": "`;
}

/**
 * Gives the bytes of a file of {@link currentChecksum} from its JSON text, in which the checksum is still empty.
 * Encodes it once and makes one pass.
 */
export function sealed(text: string): Buffer {
  const { digits, of } = currentChecksum;
  const start = text.slice(0, text.length - ending.length + 1);
  const bytes = Buffer.from(`${start}${'0'.repeat(digits)}${ending}`, 'utf8');
  const end = bytes.length - ending.length - digits;
  bytes.write(of(bytes.subarray(0, end)), end, 'latin1');
  return bytes;
}

/** The checksum that a file ends with; undefined where it ends with none. */
function checksumIn(bytes: Buffer): FileChecksum | undefined {
  if (!bytes.subarray(-ending.length).equals(endingBytes)) return undefined;
  return [currentChecksum, olderChecksum].find((checksum) => {
    const start = memberStart(checksum);
    const at = bytes.length - ending.length - checksum.digits - start.length;
    return at >= 0 && bytes.toString('latin1', at, at + start.length) === start;
  });
}

/** The current checksum that a file holds, and where what it is of ends; undefined where it holds none. */
export function storedChecksumOf(bytes: Buffer): { value: number; end: number } | undefined {
  const checksum = checksumIn(bytes);
  if (checksum !== currentChecksum) return undefined;
  const end = bytes.length - sealBytes(checksum);
  const digits = bytes.toString('latin1', end, end + checksum.digits);
  if (!/^[0-9a-f]+$/.test(digits)) return undefined;
  return { value: Number.parseInt(digits, 16), end };
}

const faults = { empty: 'the file is empty', cutOff: 'the file is cut off, or no record of ctx' };

/** Whether a fault of `checkFile` is that of a file of which a part, or all, was never written. */
export function isIncomplete(fault: string): boolean {
  return fault === faults.empty || fault === faults.cutOff;
}

/** The checksum of a file that is as it was written; a text that says what is wrong with another. Makes one pass. */
export function checkFile(bytes: Buffer): FileChecksum | string {
  if (bytes.length === 0) return faults.empty;
  const checksum = checksumIn(bytes);
  if (checksum === undefined) return faults.cutOff;
  const end = bytes.length - ending.length - checksum.digits;
  const found = bytes.toString('latin1', end, end + checksum.digits);
  return checksum.of(bytes.subarray(0, end)) === found ? checksum : 'the checksum does not fit';
}

/** Bytes after the checksum's member, its digits included. */
export function sealBytes({ digits }: FileChecksum): number {
  return ending.length + digits;
}
