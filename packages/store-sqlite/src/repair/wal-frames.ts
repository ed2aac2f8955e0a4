import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The pages of a log that were committed. */
export interface WalFrames {
  /** Pages of the database after the last commit. */
  readonly count: number;
  page(number: number): Buffer | undefined;
  close(): void;
}

/** Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const headerBytes = 32;
const frameBytes = 24;
const magic = 0x377f0682;

interface Sums {
  readonly first: number;
  readonly second: number;
}

function sumsOf(bytes: Buffer, isBig: boolean, { first, second }: Sums): Sums {
  let [one, two] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    const left = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const right = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    one = (one + left + two) >>> 0;
    two = (two + right + one) >>> 0;
  }
  return { first: one, second: two };
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function isEqual(bytes: Buffer, at: number, { first, second }: Sums): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

interface Scan {
  readonly places: ReadonlyMap<number, number>;
  readonly count: number;
}

/** Where the newest committed frame of each page is, up to the first frame that is damaged. */
function scan(file: number, header: Buffer, pageSize: number): Scan {
  const isBig = header.readUInt32BE(0) === magic + 1;
  const committed = new Map<number, number>();
  const waiting = new Map<number, number>();
  let sums = sumsOf(header.subarray(0, 24), isBig, { first: 0, second: 0 });
  let count = 0;
  const { size } = fstatSync(file);
  for (let at = headerBytes; at + frameBytes + pageSize <= size; at += frameBytes + pageSize) {
    const frame = readAt(file, at, frameBytes + pageSize);
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) break;
    sums = sumsOf(frame.subarray(0, 8), isBig, sums);
    sums = sumsOf(frame.subarray(frameBytes), isBig, sums);
    if (!isEqual(frame, 16, sums)) break;
    waiting.set(frame.readUInt32BE(0), at + frameBytes);
    const pages = frame.readUInt32BE(4);
    if (pages === 0) continue;
    for (const [page, place] of waiting) committed.set(page, place);
    waiting.clear();
    count = pages;
  }
  return { places: committed, count };
}

/** Opens a log; `undefined` where there is none that can be read. */
export function walFrames(path: string): WalFrames | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  const header = readAt(file, 0, headerBytes);
  const isLog = header.length === headerBytes && header.readUInt32BE(0) >>> 1 === magic >>> 1;
  const pageSize = isLog ? header.readUInt32BE(8) : 0;
  if (pageSize < 512 || pageSize > 65_536) {
    closeSync(file);
    return undefined;
  }
  const { places, count } = scan(file, header, pageSize);
  return {
    count,
    page(number) {
      const at = places.get(number);
      return at === undefined ? undefined : readAt(file, at, pageSize);
    },
    close() {
      closeSync(file);
    },
  };
}
