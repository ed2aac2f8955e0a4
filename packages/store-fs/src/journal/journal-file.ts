import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import { indexFolderName, temporaryName } from '../files/file-layout.ts';
import { moveFile, removeFile } from '../files/move-file.ts';
import type { RecordWords } from '../files/record-file.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import { syncFolder, syncToDisk, writeFully } from '../files/write-atomically.ts';
import {
  type BytePlace,
  decodeLines,
  encodeLine,
  encodeLines,
  type JournalLine,
} from './journal-line.ts';

/** Version of the journal's format. */
export const journalFormat: number = 1;

/** Bytes read at once. */
const blockBytes = 4 << 20;
/** Bytes gathered before they are written, in a compaction. */
const draftBytes = 1 << 20;

/** The journal: the index of the store as a list of changes, only ever added to. */
export interface JournalFile {
  readonly generation: number;
  size(): number;
  /** Visits the whole lines from `from` on and gives where the last good one before `to` ended. */
  read(from: number, to: number, visit: (line: JournalLine, end: number) => void): number;
  /** The words at a place that `read` gave. */
  words(place: BytePlace): RecordWords;
  /** Writes lines after `at` and gives them as `read` would. After an error the journal ends at `at`. */
  append(at: number, lines: readonly JournalLine[]): Promise<WrittenLines>;
  truncate(length: number): void;
  sync(): Promise<void>;
  close(): void;
}

/** Lines of the journal that this process has written. */
export interface WrittenLines {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly JournalLine[];
}

/** Where the journal of a generation lies, below the store's folder. */
export function journalPath(generation: number): string {
  return `${indexFolderName}/journal-${generation}.jsonl`;
}

function readBlock(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(file, bytes, length, bytes.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function readLines(
  file: number,
  range: { from: number; to: number },
  visit: (line: JournalLine, end: number) => void,
): number {
  let at = range.from;
  let wanted = blockBytes;
  while (at < range.to) {
    const bytes = readBlock(file, at, Math.min(range.to, at + wanted));
    const end = decodeLines(bytes, at, visit);
    const isAll = at + bytes.length >= range.to || bytes.length < wanted;
    // No whole line in the block: a longer one, or the end of what is good.
    if (end === at && (isAll || bytes.includes(0x0a))) return at;
    wanted = end === at ? wanted * 2 : blockBytes;
    at = end;
  }
  return at;
}

async function appendLines(
  file: number,
  at: number,
  lines: readonly JournalLine[],
): Promise<WrittenLines> {
  const { bytes, lines: placed } = encodeLines(lines, at);
  try {
    await writeFully(file, bytes, at);
    return { from: at, to: at + bytes.length, lines: placed };
  } catch (error) {
    succeeds(() => {
      ftruncateSync(file, at);
    });
    throw storeError(error, 'writing to the index');
  }
}

/** Opens the journal of a generation. Throws what the system throws: `ENOENT` where there is none. */
export function openJournal(root: string, generation: number, flags: 'r' | 'r+'): JournalFile {
  const file = openSync(join(root, journalPath(generation)), flags);
  let isOpen = true;
  return {
    generation,
    size: () => fstatSync(file).size,
    read: (from, to, visit) => readLines(file, { from, to }, visit),
    words(place) {
      // The number of a closed file may be another's by now.
      if (!isOpen) throw new CtxError('CTX_STORE_CLOSED', 'the index was closed');
      const bytes = readBlock(file, place.at, place.at + place.length);
      // Behind the checksum of its line.
      return JSON.parse(bytes.toString('utf8')) as RecordWords;
    },
    append: (at, lines) => appendLines(file, at, lines),
    truncate(length) {
      ftruncateSync(file, length);
    },
    sync: () => syncToDisk(file),
    close() {
      isOpen = false;
      closeSync(file);
    },
  };
}

type Lines = Iterable<JournalLine> | AsyncIterable<JournalLine>;

async function writeDraft(file: number, lines: Lines): Promise<number> {
  let at = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const flush = async (): Promise<void> => {
    await writeFully(file, Buffer.concat(pending), at);
    at += pendingBytes;
    pending = [];
    pendingBytes = 0;
  };
  for await (const line of lines) {
    const bytes = encodeLine(line);
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes >= draftBytes) await flush();
  }
  await flush();
  return at;
}

/**
 * Writes the journal of a generation anew, on the disk when it resolves. Gives its length.
 * After an error there is none of that generation.
 */
export async function writeJournal(
  root: string,
  generation: number,
  lines: Lines,
): Promise<number> {
  const draft = join(root, indexFolderName, temporaryName());
  let file: number | undefined;
  try {
    file = openSync(draft, 'wx', 0o600);
    const length = await writeDraft(file, lines);
    await syncToDisk(file);
    moveFile(draft, join(root, journalPath(generation)));
    await syncFolder(join(root, indexFolderName));
    return length;
  } catch (error) {
    succeeds(() => {
      removeFile(draft);
    });
    throw storeError(error, 'writing the index');
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
