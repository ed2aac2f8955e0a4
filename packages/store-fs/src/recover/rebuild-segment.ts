import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendedPart, keyText } from '@ctx/store/backend';
import type { RecordFile } from '../files/record-file.ts';
import { placeName, type RecordPlace } from '../files/record-place.ts';
import {
  linesOf,
  namedInSegment,
  placeOfSegment,
  segmentPath,
  withoutRecords,
  writeOfSegment,
} from '../files/segment-file.ts';
import { isMissing, readError, succeeds } from '../files/system-errors.ts';
import type { FoundFile } from '../files/walk-files.ts';
import type { PutStep, WriteLine } from '../journal/journal-line.ts';
import type { FsStoreSettings } from '../store-options.ts';
import { numbersInDamage } from './damaged-numbers.ts';
import { unmoved } from './quarantine.ts';
import { setAside } from './set-aside.ts';
import { replaceSegment, setLinesAside } from './set-aside-lines.ts';

/** What the rebuild of a segment is given. */
export interface SegmentRebuild {
  readonly root: string;
  readonly settings: FsStoreSettings;
  /** Counter of the rebuild. */
  readonly write: number;
  /** Names of the records that were committed before a power cut: see `knownBeforePowerCut`. */
  readonly knownBefore: () => ReadonlySet<string> | undefined;
  /** Counters of the writes that made the records found so far, by `placeName`; those of the segment are added. */
  readonly newest: Map<string, number>;
}

const damage = 'lines of the segment are damaged';

function bytesOf(root: string, path: string): Buffer | undefined {
  try {
    return readFileSync(join(root, path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(error, path);
  }
}

/** What is found in a segment. */
interface Found {
  readonly lines: WriteLine[];
  /** Records of which there is a newer file: a write that moved them out was cut off. */
  readonly stale: Set<string>;
  /** The records of damaged lines, by where the line begins. */
  readonly damaged: Map<number, readonly RecordPlace[]>;
}

function isNewest({ newest }: SegmentRebuild, record: RecordFile): boolean {
  const name = placeName(record);
  if ((newest.get(name) ?? -1) >= record.write) return false;
  newest.set(name, record.write);
  return true;
}

/** The number of an appended record; `undefined` for other keys. */
function numberOf({ key }: RecordPlace): number | undefined {
  const last = key.at(-1) ?? '';
  return /^\d{12}$/.test(last) ? Number(last) : undefined;
}

const isNumbered = (place: RecordPlace): boolean => numberOf(place) !== undefined;

function newer(last: number | undefined, place: RecordPlace): number | undefined {
  const number = numberOf(place);
  return number === undefined ? last : Math.max(last ?? 0, number);
}

/** The newest number in the folder of a segment that was given before the segment was begun. */
function lastBefore({ newest }: SegmentRebuild, path: string): number | undefined {
  const folder = placeOfSegment(path);
  if (folder === undefined) return undefined;
  const begun = writeOfSegment(path);
  const prefix = placeName({ ...folder, key: [...folder.key, ''] });
  let last: number | undefined;
  for (const [name, write] of newest) {
    if (write >= begun || !name.startsWith(prefix)) continue;
    last = Math.max(last ?? 0, Number(name.slice(prefix.length)) || 0);
  }
  return last;
}

/** The records that a damaged line held. In a log the lines around it tell their numbers, as the line itself may name wrong ones. */
function heldIn(path: string, line: Buffer, last: () => number | undefined): RecordPlace[] {
  const named = namedInSegment(path, line);
  const folder = placeOfSegment(path);
  const before = last();
  const isOther = before === undefined && named.length > 0 && !named.some(isNumbered);
  if (folder === undefined || isOther) return named;
  return numbersInDamage(line.toString('latin1'), before).map((number) => ({
    collection: folder.collection,
    key: [...folder.key, appendedPart(number)],
  }));
}

function foundIn(options: SegmentRebuild, path: string, bytes: Buffer): Found {
  const found: Found = { lines: [], stale: new Set(), damaged: new Map() };
  const file = path.slice(path.lastIndexOf('/') + 1);
  let last: number | undefined;
  // A last line without an end was never acknowledged.
  const isLast = (end: number): boolean => end === bytes.length;
  for (const { at, length, holds } of linesOf(bytes)) {
    if (holds === 'nothing') continue;
    if (holds === 'damage') {
      const held = isLast(at + length)
        ? namedInSegment(path, bytes.subarray(at, at + length))
        : heldIn(path, bytes.subarray(at, at + length), () => last ?? lastBefore(options, path));
      found.damaged.set(at, held);
      last = held.reduce(newer, last);
      continue;
    }
    last = holds.reduce(newer, last);
    const steps: PutStep[] = [];
    for (const record of holds) {
      if (segmentPath(record, file) !== path) continue;
      const { collection, key, version, columns, words } = record;
      const segment = { file, at, length };
      if (!isNewest(options, record)) found.stale.add(keyText(key));
      else
        steps.push({
          change: 'put',
          collection,
          key,
          version,
          columns,
          temporary: '',
          words,
          segment,
        });
    }
    const [first] = holds;
    if (first !== undefined && steps.length > 0)
      found.lines.push({ type: 'write', write: first.write, steps });
  }
  return found;
}

/** Whether a damaged line is of a record that was there, and not what a power cut left of a write that was never acknowledged. */
function wasThere({ knownBefore, newest }: SegmentRebuild, place: RecordPlace): boolean {
  const known = knownBefore();
  const name = placeName(place);
  return !newest.has(name) && (known === undefined || known.has(name));
}

async function movedAside(
  options: SegmentRebuild,
  path: string,
  damaged: Found['damaged'],
): Promise<string> {
  const { root, settings } = options;
  if (settings.readOnly) return unmoved(path);
  const bad = { path, reason: damage, record: undefined, at: settings.clock() };
  const { movedTo } = await setLinesAside(root, bad, {
    isNamed: (place) => wasThere(options, place),
    heldIn: ({ at }) => damaged.get(at) ?? [],
  });
  succeeds(() => {
    settings.onQuarantine({
      path,
      reason: damage,
      movedTo: `.quarantine/${movedTo}`,
      restored: false,
    });
  });
  return movedTo;
}

/**
 * Reads a segment and gives its records as lines of a new journal. Damaged lines go to the quarantine, and records that lie elsewhere by
 * now out of the segment.
 * Reads the segment.
 */
export async function* linesOfSegment(
  options: SegmentRebuild,
  { path, isFile }: FoundFile,
): AsyncGenerator<WriteLine> {
  const { root, settings, write } = options;
  if (!isFile) {
    const reason = 'a link or device lies in the place of a segment';
    const bad = { path, reason, record: undefined, version: 0, write };
    if (!settings.readOnly) await setAside(root, settings, bad);
    return;
  }
  const bytes = bytesOf(root, path);
  if (bytes === undefined) return;
  const { lines, stale, damaged } = foundIn(options, path, bytes);
  yield* lines;
  if (damaged.size > 0) {
    const movedTo = await movedAside(options, path, damaged);
    const steps = [...damaged.values()]
      .flat()
      .filter((place) => wasThere(options, place))
      .map((place) => ({ change: 'quarantine', ...place, movedTo }) as const);
    if (steps.length > 0) yield { type: 'write', write: 0, steps };
  }
  if (stale.size === 0 || settings.readOnly) return;
  const whole = withoutRecords(bytesOf(root, path) ?? bytes, stale).bytes;
  await replaceSegment(join(root, path), whole);
}
