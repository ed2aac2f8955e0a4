import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { walFrames } from './wal-frames.ts';

/** The pages of a database file and of its log, read without SQLite. */
export interface PageFile {
  readonly pageSize: number;
  /** Bytes of a page that hold something. */
  readonly usable: number;
  /** Pages that there are, whatever the header says. */
  readonly count: number;
  /** Pages that the header speaks of; 0 where it does not say. */
  readonly declared: number;
  /** A page by its number, from 1; `undefined` where the file ends before it. */
  page(number: number): Buffer | undefined;
  close(): void;
}

const headerBytes = 100;
/** The size of a page where the header does not say: that of every store that ctx makes. */
const usualPageSize = 4096;

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

interface Header {
  readonly pageSize: number;
  readonly reserved: number;
  readonly declared: number;
}

function headerOf(bytes: Buffer): Header {
  const isWhole =
    bytes.length === headerBytes && bytes.toString('latin1', 0, 15) === 'SQLite format 3';
  const told = isWhole ? bytes.readUInt16BE(16) : 0;
  const size = told === 1 ? 65_536 : told;
  if (!isPageSize(size)) return { pageSize: usualPageSize, reserved: 0, declared: 0 };
  return { pageSize: size, reserved: bytes.readUInt8(20), declared: bytes.readUInt32BE(28) };
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/**
 * Opens a database file to be read page by page, with what its log holds.
 * The process must not have it open by SQLite: closing it here would drop SQLite's locks.
 */
export function openPages(path: string): PageFile {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  const frames = walFrames(`${path}-wal`);
  const first = frames?.page(1)?.subarray(0, headerBytes) ?? readAt(file, 0, headerBytes);
  const { pageSize, reserved, declared } = headerOf(first);
  const inFile = Math.ceil(size / pageSize);
  return {
    pageSize,
    usable: pageSize - reserved,
    count: Math.max(inFile, frames?.count ?? 0),
    declared: Math.max(declared, frames?.count ?? 0),
    page(number) {
      if (number < 1) return undefined;
      const logged = frames?.page(number);
      if (logged !== undefined) return logged;
      const bytes = readAt(file, (number - 1) * pageSize, pageSize);
      if (bytes.length === 0) return undefined;
      return bytes.length === pageSize ? bytes : Buffer.concat([bytes], pageSize);
    },
    close() {
      frames?.close();
      closeSync(file);
    },
  };
}

/** Bytes of a file; 0 where it is missing. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
