import { crc32 } from 'node:zlib';
import type { ColumnValue, RecordKey } from '@ctx/store/backend';
import type { RecordWords } from '../files/record-file.ts';

/** A place in the journal's bytes. */
export interface BytePlace {
  readonly at: number;
  readonly length: number;
}

interface StepOf {
  readonly collection: string;
  readonly key: RecordKey;
}

/** Where a record lies that shares its file, a segment, with others. */
export interface SegmentPlace {
  /** The segment's name, in the folder where the record's own file would lie. */
  readonly file: string;
  /** Where its line begins, bytes. */
  readonly at: number;
  /** Bytes of the line without its end. */
  readonly length: number;
}

/** A record was created, replaced or patched. */
export interface PutStep extends StepOf {
  readonly change: 'put';
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Name of the new file, beside the record's, until it is renamed into its place. '' in a compacted journal. */
  readonly temporary: string;
  /** Undefined: the search words stay what they were. */
  readonly words: RecordWords | BytePlace | undefined;
  /** Undefined: the record has a file of its own. */
  readonly segment?: SegmentPlace | undefined;
}

export interface DeleteStep extends StepOf {
  readonly change: 'delete';
  /** Whether the record was in a segment, and had no file of its own. */
  readonly isInSegment?: boolean;
}

/** The record's file could not be read and was moved. */
export interface QuarantineStep extends StepOf {
  readonly change: 'quarantine';
  /** Its name in the quarantine. */
  readonly movedTo: string;
}

/** A segment is written anew without records that were deleted, or that have files of their own now. */
export interface SegmentStep extends StepOf {
  readonly change: 'segment';
  readonly file: string;
  /** Name of the new file, beside the segment. '' where none is left: it goes, or, in place, is written over. */
  readonly temporary: string;
  /** Whether the disk has no room for a new file, so that spaces are written over the records: of deletes only. */
  readonly isInPlace: boolean;
  readonly gone: readonly RecordKey[];
}

/** Whether a step changes a file by itself: what is deleted from a segment leaves with the step of the segment. */
export function changesFile(step: FileStep): boolean {
  return step.change !== 'delete' || step.isInSegment !== true;
}

/** A step that changes files. */
export type FileStep = PutStep | DeleteStep | SegmentStep;

export type JournalStep = FileStep | QuarantineStep;

/** A change of records: all of its steps or none. */
export interface WriteLine {
  readonly type: 'write';
  /** Counter of the write. */
  readonly write: number;
  readonly steps: readonly JournalStep[];
}

/** The words of a record that was put without them. */
export interface FoundWords extends StepOf {
  /** Counter of the write that made the record as it was read. */
  readonly write: number;
  readonly words: Readonly<Record<string, string>> | BytePlace;
}

/** Words that were found in their records. */
export interface WordsLine {
  readonly type: 'words';
  readonly records: readonly FoundWords[];
}

/**
 * `opened` is on the disk before the first write after it, `closed` after everything: a journal that ends in `closed`
 * is complete even after a power cut.
 */
export type JournalLine =
  | WriteLine
  | WordsLine
  | { readonly type: 'header'; readonly format: number; readonly generation: number }
  | { readonly type: 'opened'; readonly boot: string }
  | { readonly type: 'closed' };

const lineEnd = 0x0a;
const wordsStart = 0x09;
const checksumBytes = 9;

function plainStep(step: JournalStep): object {
  return step.change === 'put' ? { ...step, words: undefined } : step;
}

function wordsText(step: JournalStep): string {
  if (step.change !== 'put' || step.words === undefined) return '';
  return JSON.stringify(step.words);
}

/** One line: checksum, JSON, then after a tab for each put its words, so that they can be skipped. */
export function encodeLine(line: JournalLine): Buffer {
  let text: string;
  if (line.type === 'write') {
    text = JSON.stringify({ ...line, steps: line.steps.map(plainStep) });
    for (const step of line.steps) if (step.change === 'put') text += `\t${wordsText(step)}`;
  } else if (line.type === 'words') {
    const records = line.records.map((record) => ({ ...record, words: undefined }));
    text = JSON.stringify({ ...line, records });
    for (const { words } of line.records) text += `\t${JSON.stringify(words)}`;
  } else {
    text = JSON.stringify(line);
  }
  const payload = Buffer.from(text, 'utf8');
  const checksum = crc32(payload).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`${checksum} `), payload, Buffer.from('\n')]);
}

/** Gives the places of the words after a line's JSON, one after the other; `at` is where the line begins in the journal. */
function wordPlaces(bytes: Buffer, at: number): () => BytePlace {
  let tab = bytes.indexOf(wordsStart);
  return () => {
    const next = bytes.indexOf(wordsStart, tab + 1);
    const end = next === -1 ? bytes.length : next;
    const place = { at: at + tab + 1, length: end - tab - 1 };
    tab = next;
    return place;
  };
}

/** Replaces the words of a line by their places. */
function withWordPlaces(line: JournalLine, bytes: Buffer, at: number): JournalLine {
  const nextPlace = wordPlaces(bytes, at);
  if (line.type === 'words') {
    const records = line.records.map((record) => ({ ...record, words: nextPlace() }));
    return { ...line, records };
  }
  if (line.type !== 'write') return line;
  const steps = line.steps.map((step) => {
    if (step.change !== 'put') return step;
    const place = nextPlace();
    return { ...step, words: place.length === 0 ? undefined : place };
  });
  return { ...line, steps };
}

/** Encodes lines to stand at `at` of the journal, and gives them as reading them back would. */
export function encodeLines(
  lines: readonly JournalLine[],
  at: number,
): { readonly bytes: Buffer; readonly lines: readonly JournalLine[] } {
  const encoded = lines.map(encodeLine);
  let start = at;
  const placed = lines.map((line, number) => {
    const bytes = encoded[number] ?? Buffer.alloc(0);
    const found = withWordPlaces(line, bytes.subarray(0, -1), start);
    start += bytes.length;
    return found;
  });
  return { bytes: Buffer.concat(encoded), lines: placed };
}

/** The line without its end; undefined where the checksum does not fit. */
function decodeLine(bytes: Buffer, at: number): JournalLine | undefined {
  const payload = bytes.subarray(checksumBytes);
  if (bytes.length <= checksumBytes) return undefined;
  if (bytes.toString('latin1', 0, 8) !== crc32(payload).toString(16).padStart(8, '0')) {
    return undefined;
  }
  const tab = bytes.indexOf(wordsStart);
  const json = bytes.toString('utf8', checksumBytes, tab === -1 ? bytes.length : tab);
  try {
    // The checksum vouches for what encodeLine wrote; nothing else writes here.
    const line = JSON.parse(json) as JournalLine;
    return withWordPlaces(line, bytes, at);
  } catch {
    return undefined;
  }
}

/**
 * Reads the whole lines of `bytes`, which lie at `at` in the journal, until one is broken or cut off. Gives where the
 * last good one ended.
 */
export function decodeLines(
  bytes: Buffer,
  at: number,
  visit: (line: JournalLine, end: number) => void,
): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(lineEnd, start);
    if (end === -1) return at + start;
    const line = decodeLine(bytes.subarray(start, end), at + start);
    if (line === undefined) return at + start;
    start = end + 1;
    visit(line, at + start);
  }
}
