import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Up to where a file was read. */
export interface TailPlace {
  readonly path: string;
  /** Bytes. */
  readonly offset: number;
}

/** Whole lines after a place, and the place after them. */
export interface Tail {
  readonly bytes: Uint8Array;
  readonly place: TailPlace;
}

/** Most that is read in one go. */
const maxTailBytes = 16 * 1024 * 1024;

const lineFeed = 0x0a;

async function readAt(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Where to go on: a file that became shorter is another one, of which only what comes from now on is read. */
function startOf(known: TailPlace | undefined, size: number): number {
  return Math.min(known?.offset ?? 0, size);
}

/**
 * Reads the whole lines after a place, at most 16 MB of them. `undefined` where there is no such file, or nothing new.
 * Follows no link. A line of more than 16 MB is passed over.
 */
export async function readTail(
  path: string,
  known: TailPlace | undefined,
): Promise<Tail | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const from = startOf(known, stats.size);
    const bytes = await readAt(file, from, Math.min(maxTailBytes, stats.size - from));
    const end = bytes.lastIndexOf(lineFeed) + 1;
    const isOver = end === 0 && bytes.length === maxTailBytes;
    if (end === 0 && !isOver) return undefined;
    const offset = from + (isOver ? bytes.length : end);
    return { bytes: bytes.subarray(0, end), place: { path, offset } };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}
