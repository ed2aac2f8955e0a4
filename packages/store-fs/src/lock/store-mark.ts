import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { indexFolderName, temporaryName } from '../files/file-layout.ts';
import { moveFile } from '../files/move-file.ts';
import { isMissing } from '../files/system-errors.ts';
import { type Durability, writeNewFile } from '../files/write-atomically.ts';
import { holdsLock } from './store-lock.ts';

/** The file that says that a folder is a store of ours. */
export const markName: string = 'ctx-store.json';

/**
 * Raised when a ctx that reads the version before could not read what is written now: since 2 files may hold words that come later,
 * since 3 they have another checksum, since 4 records share files.
 */
const markVersion = 4;
/** Versions that this one reads; older ones are raised at open. */
const knownVersions: readonly unknown[] = [1, 2, 3, markVersion];
/** A longer file is no mark. */
const mostMarkBytes = 65_536;
/** No collection has more key parts. */
const mostKeyParts = 16;

/** How many parts the keys of each collection have: with the name, all places where its records lie. */
export type KeyLengths = ReadonlyMap<string, number>;

function parsed(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function keyLengthsIn(collections: unknown): Map<string, number> {
  const lengths = new Map<string, number>();
  if (typeof collections !== 'object' || collections === null) return lengths;
  for (const [name, length] of Object.entries(collections as Record<string, unknown>)) {
    const isLength = typeof length === 'number' && Number.isInteger(length);
    if (isLength && length > 0 && length <= mostKeyParts) lengths.set(name, length);
  }
  return lengths;
}

/**
 * What the mark says; undefined where there is none of ours. An empty one counts: its writer is at work or was killed.
 * @throws `CTX_INVALID_INPUT` where a newer version made it.
 */
function readMark(root: string): Map<string, number> | undefined {
  const path = join(root, markName);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > mostMarkBytes) return undefined;
  const text = readFileSync(path, 'utf8');
  if (text === '') return new Map();
  const { ctx, version, collections } = parsed(text);
  if (ctx !== 'store-fs') return undefined;
  if (knownVersions.includes(version)) return keyLengthsIn(collections);
  const found = `the store in ${root} was made by a newer version of store-fs`;
  throw new CtxError('CTX_INVALID_INPUT', `${found}; install that one to open it`);
}

function markBytes(lengths: KeyLengths, isFilled: boolean): Uint8Array {
  const collections = Object.fromEntries([...lengths].sort(([a], [b]) => (a < b ? -1 : 1)));
  const mark = {
    ctx: 'store-fs',
    version: markVersion,
    collections,
    ...(isFilled && { isFilled }),
  };
  return Buffer.from(`${JSON.stringify(mark, null, 2)}\n`);
}

function declaredLengths(definitions: readonly CollectionDefinition[]): [string, number][] {
  return definitions.map(({ name, key }) => [name, key.length]);
}

/** The collections of this store: those declared now, and those of whoever opened it before. */
export function knownKeyLengths(
  root: string,
  definitions: readonly CollectionDefinition[],
): KeyLengths {
  return new Map([...(readMark(root) ?? []), ...declaredLengths(definitions)]);
}

/** Whether the folder looks like a store from before there were marks. */
function isUnmarkedStore(root: string): boolean {
  if (holdsLock(root)) return true;
  try {
    return readdirSync(join(root, indexFolderName)).some((name) => name.startsWith('journal-'));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** @throws `CTX_INVALID_INPUT` where the path names a file. */
export function checkIsNoFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  const message = `${path} is a file, and a store of files is a folder; name a new folder, such as ${path}-store`;
  throw new CtxError('CTX_INVALID_INPUT', message);
}

/** @throws `CTX_INVALID_INPUT` where the folder is no store. */
export function checkIsStore(root: string): void {
  if (readMark(root) !== undefined || isUnmarkedStore(root)) return;
  throw new CtxError('CTX_INVALID_INPUT', `${root} is no store of ctx`);
}

/** What a mark is made from. */
export interface MarkOptions {
  readonly definitions: readonly CollectionDefinition[];
  readonly durability: Durability;
}

/**
 * Marks an empty folder as a store, and lets one pass that is a store.
 * Any other folder is left as it is.
 * @throws `CTX_INVALID_INPUT` where the folder is not empty and no store; what the system's error means.
 */
export async function claimFolder(root: string, options: MarkOptions): Promise<void> {
  // The list comes first: another process that is making the store writes its mark before all else.
  const isEmpty = readdirSync(root).length === 0;
  if (readMark(root) !== undefined) return;
  if (!isEmpty) {
    if (isUnmarkedStore(root)) return;
    const text = `${root} is not empty and is no store of ctx; give an empty or a new folder`;
    throw new CtxError('CTX_INVALID_INPUT', text);
  }
  const bytes = markBytes(new Map(declaredLengths(options.definitions)), false);
  try {
    await writeNewFile(join(root, markName), bytes, options.durability);
  } catch (error) {
    // Another process was quicker.
    if (readMark(root) === undefined) throw error;
  }
}

/**
 * Whether the store held records when that was last noted.
 * @throws what the system's error means.
 */
export function isNotedAsFilled(root: string): boolean {
  if (readMark(root) === undefined) return false;
  return parsed(readFileSync(join(root, markName), 'utf8'))['isFilled'] === true;
}

/**
 * Adds the declared collections to the mark, for rebuilds by processes that declare others, and whether there are records. A file of that
 * name that is not ours stays. The lock is held.
 */
export async function noteInMark(
  root: string,
  { isFilled, ...options }: MarkOptions & { readonly isFilled: boolean },
): Promise<void> {
  const path = join(root, markName);
  const before = readMark(root);
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (before === undefined && isThere) return;
  const declared = declaredLengths(options.definitions);
  const now = isThere ? parsed(readFileSync(path, 'utf8')) : {};
  const isCurrent = now['version'] === markVersion && (now['isFilled'] === true) === isFilled;
  if (isCurrent && declared.every(([name, length]) => before?.get(name) === length)) return;
  const temporary = join(root, temporaryName());
  const bytes = markBytes(new Map([...(before ?? []), ...declared]), isFilled);
  await writeNewFile(temporary, bytes, options.durability);
  moveFile(temporary, path);
}
