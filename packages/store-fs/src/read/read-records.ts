import { type CtxError, isCtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  completeColumns,
  type RecordKey,
  type StoredRecord,
} from '@ctx/store/backend';
import { readOnce } from '../files/read-whole.ts';
import { decodeRecordFile, knownBodyOf, type RecordFile } from '../files/record-file.ts';
import { storedPath } from '../files/segment-file.ts';
import type { RecordIndex } from '../index/record-index.ts';
import type { IndexEntry } from '../index/record-shelf.ts';
import { corruptRecord, unmoved } from '../recover/quarantine.ts';
import { isAtHome } from '../recover/rebuild-index.ts';
import type { LockedTurn, StoreState } from '../state/store-state.ts';
import { readSegmentRecord } from './read-segment.ts';
import { readStored } from './read-stored.ts';

/** Files read at the same time. */
const parallelReads = 16;
/** How often several records are read again when they changed meanwhile, before the lock is taken. */
const quietTries = 3;

interface FoundRecord {
  readonly write: number;
  readonly record: StoredRecord;
}

function foundRecord(definition: CollectionDefinition, file: RecordFile): FoundRecord {
  const { key, version, columns, body, write } = file;
  const record = { key: [...key], version, columns: completeColumns(definition, columns), body };
  return { write, record };
}

/** Reads a record again while no process writes, and corrects the index. */
async function repairRecord(
  turn: LockedTurn,
  definition: CollectionDefinition,
  key: RecordKey,
): Promise<FoundRecord | undefined> {
  const collection = definition.name;
  const entry = turn.index.entry(collection, key);
  if (entry === undefined) return undefined;
  const place = { collection, key, segment: entry.segment };
  const file = await readStored(turn.root, place);
  if (file !== undefined && typeof file !== 'string') return foundRecord(definition, file);
  if (file === undefined) {
    // Somebody removed the file by hand.
    const steps = [{ change: 'delete', collection, key } as const];
    await turn.log([{ type: 'write', write: turn.write, steps }], false);
    turn.commit();
    return undefined;
  }
  const movedTo = await turn.setAside(storedPath(place), file, { collection, key });
  const restored = await readStored(turn.root, { collection, key, segment: undefined });
  if (restored !== undefined && typeof restored !== 'string')
    return foundRecord(definition, restored);
  throw corruptRecord(collection, key, movedTo);
}

/** What is to be said of a record whose file was set aside. */
export function damageOf(
  index: RecordIndex,
  collection: string,
  key: RecordKey,
): CtxError | undefined {
  const movedTo = index.quarantined(collection, key);
  return movedTo === undefined ? undefined : corruptRecord(collection, key, movedTo);
}

/** Throws `CTX_STORE_CORRUPT` where the file of the record was set aside. */
function checkReadable(index: RecordIndex, collection: string, key: RecordKey): void {
  const damage = damageOf(index, collection, key);
  if (damage !== undefined) throw damage;
}

/** Reads columns from the index, without a look at the files. */
export async function readColumns(
  index: RecordIndex,
  collection: string,
  keys: readonly RecordKey[],
): Promise<(StoredRecord | undefined)[]> {
  for (const key of keys) checkReadable(index, collection, key);
  return await index.columns.get(collection, keys, 'columns');
}

/**
 * The record where its file can be read at once: with the columns of the index if the file is of the write that the index
 * knows of. Undefined where the file is long, damaged or missing: `fileOf` looks closer then. A checksum that fits says that the
 * bytes are whole.
 */
function recordNow(
  { root, folders }: StoreState,
  definition: CollectionDefinition,
  { key, version, columns, write, segment }: IndexEntry,
): FoundRecord | undefined {
  const collection = definition.name;
  const path = storedPath({ collection, key, segment });
  const known = { collection, key, version, columns, write };
  const decode = (bytes: Buffer): FoundRecord | undefined => {
    const body = knownBodyOf(bytes, known);
    if (body !== undefined) {
      return { write, record: { key: [...key], version, columns: { ...columns }, body } };
    }
    const file = decodeRecordFile(bytes);
    const isFound = typeof file !== 'string' && isAtHome(file, path, known);
    return isFound ? foundRecord(definition, file) : undefined;
  };
  try {
    if (!folders.leadTo(path)) return undefined;
    if (segment !== undefined) {
      const file = readSegmentRecord(root, known, segment);
      return file && foundRecord(definition, file);
    }
    return readOnce(`${root}/${path}`, decode);
  } catch {
    return undefined;
  }
}

async function readOne(
  state: StoreState,
  definition: CollectionDefinition,
  { index, key }: { index: RecordIndex; key: RecordKey },
): Promise<FoundRecord | undefined> {
  checkReadable(index, definition.name, key);
  const entry = index.entry(definition.name, key);
  if (entry === undefined) return undefined;
  const found = recordNow(state, definition, entry);
  if (found !== undefined) return found;
  const place = { collection: definition.name, key, segment: entry.segment };
  const file = await readStored(state.root, place);
  if (file !== undefined && typeof file !== 'string') return foundRecord(definition, file);
  if (!state.isReadOnly) return await state.locked((turn) => repairRecord(turn, definition, key));
  // A file that is missing was removed, or is on its way into its place.
  if (file === undefined) return undefined;
  throw corruptRecord(definition.name, key, unmoved(storedPath(place)));
}

/**
 * The record where its file is of the very write that the index knew at its last look: it was not changed since, or the file
 * would be another or gone. So the look at the lock is spared.
 */
function recordAsKnown(
  state: StoreState,
  definition: CollectionDefinition,
  keys: readonly RecordKey[],
): StoredRecord | undefined {
  const [key] = keys;
  if (key === undefined || keys.length > 1) return undefined;
  const entry = state.present()?.entry(definition.name, key);
  if (entry === undefined) return undefined;
  const found = recordNow(state, definition, entry);
  return found?.write === entry.write ? found.record : undefined;
}

/** Reads records whole, a few at a time, in the order asked. */
async function readAll(
  state: StoreState,
  definition: CollectionDefinition,
  { index, keys }: { index: RecordIndex; keys: readonly RecordKey[] },
): Promise<(FoundRecord | undefined)[]> {
  const [first] = keys;
  if (first !== undefined && keys.length === 1) {
    return [await readOne(state, definition, { index, key: first })];
  }
  const found: (FoundRecord | undefined)[] = [];
  for (let at = 0; at < keys.length; at += parallelReads) {
    const block = keys.slice(at, at + parallelReads);
    found.push(
      ...(await Promise.all(block.map((key) => readOne(state, definition, { index, key })))),
    );
  }
  return found;
}

/**
 * Reads records whole. Several records are as they were at one moment: where one changed meanwhile all are read again.
 * @throws `CTX_STORE_CORRUPT` for a record whose file could not be read.
 */
export async function readRecords(
  state: StoreState,
  definition: CollectionDefinition,
  keys: readonly RecordKey[],
): Promise<(StoredRecord | undefined)[]> {
  const known = recordAsKnown(state, definition, keys);
  if (known !== undefined) return [known];
  for (let attempt = 0; ; attempt++) {
    const index = await state.refresh();
    const found = await readAll(state, definition, { index, keys });
    const now = keys.length > 1 ? await state.refresh() : index;
    const isOneMoment =
      keys.length <= 1 ||
      keys.every((key, at) => now.entry(definition.name, key)?.write === found[at]?.write);
    // Without the lock there is no waiting for a quiet moment: each is as it was at one.
    if (isOneMoment || (state.isReadOnly && attempt >= quietTries))
      return found.map((one) => one?.record);
    if (attempt >= quietTries) break;
  }
  return await state.locked(async (turn) => {
    const records: (StoredRecord | undefined)[] = [];
    for (const key of keys) records.push((await repairRecord(turn, definition, key))?.record);
    return records;
  });
}

/** Part of what a scan of the index gave. */
export interface ScannedRecords {
  readonly scanned: readonly StoredRecord[];
  readonly fields: readonly string[];
  readonly onDamage: (damage: CtxError) => void;
}

/**
 * Reads the bodies of records that a scan of the index gave. Those deleted meanwhile are left out, and those that cannot be read, of
 * which `onDamage` is told. A record that has moved in the index meanwhile keeps the columns of its place, so that a page never goes back or skips.
 */
export async function readScanned(
  state: StoreState,
  definition: CollectionDefinition,
  { scanned, fields, onDamage }: ScannedRecords,
): Promise<StoredRecord[]> {
  const index = await state.refresh();
  const read = async (record: StoredRecord): Promise<StoredRecord | undefined> => {
    try {
      const found = (await readOne(state, definition, { index, key: record.key }))?.record;
      if (found === undefined) return undefined;
      const hasMoved = fields.some((field) => found.columns[field] !== record.columns[field]);
      return hasMoved ? { ...record, body: found.body } : found;
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
      onDamage(error);
      return undefined;
    }
  };
  const records = await Promise.all(scanned.map(read));
  return records.filter((record) => record !== undefined);
}
