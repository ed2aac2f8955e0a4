import { posix } from 'node:path';
import type { RecordKey } from '@ctx/store/backend';
import { idOfSafeName } from '@ctx/store/backend';
import { isIncomplete } from '../files/file-checksum.ts';
import { isRecordName, recordPath } from '../files/file-layout.ts';
import { readWhole } from '../files/read-whole.ts';
import { decodeRecordFile, type RecordFile } from '../files/record-file.ts';
import { placeName, type RecordPlace } from '../files/record-place.ts';
import { isSegmentName } from '../files/segment-file.ts';
import { isMissing, readError, systemCode } from '../files/system-errors.ts';
import { type FoundFile, walkFiles } from '../files/walk-files.ts';
import type { PutStep, WriteLine } from '../journal/journal-line.ts';
import type { KeyLengths } from '../lock/store-mark.ts';
import type { FsStoreSettings } from '../store-options.ts';
import { quarantinedRecords, unmoved } from './quarantine.ts';
import { linesOfSegment } from './rebuild-segment.ts';
import { setAside } from './set-aside.ts';

/** Files read at the same time. */
const parallelReads = 16;

/** Whether a record belongs where it was found. Spells its name out only where it is not the one looked for. */
export function isAtHome(
  { collection, key }: RecordFile,
  path: string,
  place: RecordPlace | undefined,
): boolean {
  const isWanted =
    collection === place?.collection &&
    key.length === place.key.length &&
    key.every((part, at) => part === place.key[at]);
  return isWanted || recordPath(collection, key) === path;
}

/** What the file at `path` holds; a text that says why it is no record. `place`: the record whose path that is, where known. */
export async function readRecordFile(
  root: string,
  path: string,
  place?: RecordPlace,
): Promise<RecordFile | string> {
  try {
    const file = await readWhole(`${root}/${path}`, decodeRecordFile);
    if (typeof file === 'string') return file;
    return isAtHome(file, path, place) ? file : 'the file is the record of another place';
  } catch (error) {
    if (isMissing(error)) throw error;
    // Other errors are the disk's, not the file's.
    const isUnreadable = ['EISDIR', 'ELOOP', 'ERR_FS_FILE_TOO_LARGE'].includes(systemCode(error));
    if (isUnreadable) return `the file cannot be read (${systemCode(error)})`;
    throw error;
  }
}

function lineOf(file: RecordFile): WriteLine {
  const { collection, key, version, columns, words, write } = file;
  const step: PutStep = { change: 'put', collection, key, version, columns, temporary: '', words };
  return { type: 'write', write, steps: [step] };
}

/** Which record lies at a path; undefined where a part of its key was shortened, or no record lies there. */
function recordAt(path: string): { collection: string; key: RecordKey } | undefined {
  const [tenant = '', collection = '', ...parts] = path.slice(0, -'.json'.length).split('/');
  const key = [tenant, ...parts].map(idOfSafeName);
  if (!key.every((part) => part !== undefined) || recordPath(collection, key) !== path) {
    return undefined;
  }
  return { collection, key };
}

/** What a rebuild is given. */
export interface RebuildOptions {
  readonly root: string;
  readonly settings: FsStoreSettings;
  /** The collections whose records are looked for. */
  readonly keyLengths: KeyLengths;
  /** Counter for copies that come back. */
  readonly write: number;
  /** Names of the records that were committed before a power cut: see `knownBeforePowerCut`. */
  readonly knownBefore: () => ReadonlySet<string> | undefined;
}

function quarantineLine(step: RecordPlace & { readonly movedTo: string }): WriteLine {
  return { type: 'write', write: 0, steps: [{ change: 'quarantine', ...step }] };
}

/** Whether a file that is no record is what a power cut left of a write that was never acknowledged. */
function isCutOff({ knownBefore }: RebuildOptions, record: RecordPlace, fault: string): boolean {
  if (!isIncomplete(fault)) return false;
  const known = knownBefore();
  return known !== undefined && !known.has(placeName(record));
}

async function lineOfPlace(
  options: RebuildOptions,
  found: FoundFile,
): Promise<WriteLine | undefined> {
  const { root, settings, write } = options;
  const { path, isFile } = found;
  const file = isFile
    ? await readRecordFile(root, path).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw readError(error, path);
      })
    : 'a link or device lies in the place of a record';
  if (file === undefined) return undefined;
  if (typeof file !== 'string') return lineOf(file);
  const place = recordAt(path);
  const record = place !== undefined && isCutOff(options, place, file) ? undefined : place;
  if (settings.readOnly) return record && quarantineLine({ ...record, movedTo: unmoved(path) });
  const bad = { path, reason: file, record, version: 0, write };
  const { movedTo, restored } = await setAside(root, settings, bad);
  if (restored !== undefined) return lineOf(restored);
  if (record === undefined) return undefined;
  return quarantineLine({ ...record, movedTo });
}

/** The lines of records that have files of their own. */
async function* linesOfFiles(
  options: RebuildOptions,
  found: readonly FoundFile[],
): AsyncGenerator<{ readonly path: string; readonly line: WriteLine }> {
  for (let at = 0; at < found.length; at += parallelReads) {
    const block = found.slice(at, at + parallelReads);
    const read = async (file: FoundFile): Promise<[FoundFile, WriteLine | undefined]> => [
      file,
      await lineOfPlace(options, file),
    ];
    for (const [{ path }, line] of await Promise.all(block.map(read)))
      if (line !== undefined) yield { path, line };
  }
}

async function* linesOfRecords(
  options: RebuildOptions,
  all: readonly FoundFile[],
): AsyncGenerator<WriteLine> {
  const segments = all.filter(({ name }) => isSegmentName(name));
  const shared = new Set(segments.map(({ path }) => posix.dirname(path)));
  const newest = new Map<string, number>();
  const files = all.filter(({ name }) => isRecordName(name));
  for await (const { path, line } of linesOfFiles(options, files)) {
    yield line;
    if (!shared.has(posix.dirname(path))) continue;
    for (const step of line.steps)
      if (step.change === 'put') newest.set(placeName(step), line.write);
  }
  for (const segment of segments) yield* linesOfSegment({ ...options, newest }, segment);
}

/**
 * Reads all records and gives them as lines of a new journal. What lies in the place of a record and is none goes to the
 * quarantine; files anywhere else are not looked at.
 * Reads the file of every record and all segments. The lock is held.
 */
export async function* rebuildLines(options: RebuildOptions): AsyncGenerator<WriteLine> {
  const all = [...walkFiles(options.root, options.keyLengths)];
  const marks = new Map<string, WriteLine>();
  for (const step of quarantinedRecords(options.root)) {
    marks.set(placeName(step), { type: 'write', write: 0, steps: [step] });
  }
  for await (const line of linesOfRecords(options, all)) {
    for (const step of line.steps) marks.delete(placeName(step));
    yield line;
  }
  yield* marks.values();
}
