import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CtxError } from '@ctx/core';
import type { RecordKey } from '@ctx/store/backend';
import { idOfSafeName, safeNameOf } from '@ctx/store/backend';
import { isMissing, storeError } from './system-errors.ts';

/** Folders of the store's own. No safe name begins with a dot, so no tenant is called like them. */
export const indexFolderName: string = '.index';
export const quarantineFolderName: string = '.quarantine';

const extension = '.json';

/**
 * Where a record lies below the store's folder: `TENANT/COLLECTION/PART/…/LAST.json`.
 * Different records have different paths, and none leaves the folder.
 */
export function recordPath(collection: string, key: RecordKey): string {
  const [tenant = '', ...parts] = key;
  return `${[safeNameOf(tenant), collection, ...parts.map(safeNameOf)].join('/')}${extension}`;
}

/** Where the copy before the last change lies. */
export function previousPath(path: string): string {
  return `${path}.prev`;
}

/** The form of a name of `safeNameOf` that was cut. */
const cutNamePattern = /^[a-z0-9_=+][a-z0-9_=+-]{0,86}~[0-9a-f]{32}$/;

/** Whether an id may have this name. */
export function isSafeName(name: string): boolean {
  return cutNamePattern.test(name) || idOfSafeName(name) !== undefined;
}

/** Whether a file name is that of a record. */
export function isRecordName(name: string): boolean {
  return name.endsWith(extension) && isSafeName(name.slice(0, -extension.length));
}

const temporaryPattern = /^\.tmp-[0-9]{1,10}-[0-9a-f]{16}$/;
const setAsidePattern = /^\.old-[0-9]{1,15}-[0-9]{1,9}$/;

/** A new name for a file in the making: carries the process and a random part. */
export function temporaryName(): string {
  return `.tmp-${process.pid}-${randomBytes(8).toString('hex')}`;
}

/** What a record's file is called while a write that replaces or deletes it is under way. */
export function setAsideName(write: number, step: number): string {
  return `.old-${write}-${step}`;
}

/** Whether a file is one in the making. */
export function isTemporaryName(name: string): boolean {
  return temporaryPattern.test(name);
}

/** Whether a file was left behind by a write that did not end. */
export function isLeftover(name: string): boolean {
  return temporaryPattern.test(name) || setAsidePattern.test(name);
}

/** Another name in the folder of `path`. */
export function besidePath(path: string, name: string): string {
  return join(dirname(path), name);
}

function foldersOf(path: string): string[] {
  const parts = dirname(path).split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function refuse(folder: string): never {
  const text = `${folder} is no folder of the store but a link or a file; nothing was read or written there`;
  throw new CtxError('CTX_NOT_ALLOWED', text);
}

/**
 * Whether the folders down to `path` are there. Looks at each once and no more, since each read of a record begins so.
 * @throws `CTX_NOT_ALLOWED` where one of them is a link or a file.
 */
export function hasFolders(root: string, path: string): boolean {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end);
    const stats = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isDirectory()) refuse(folder);
  }
  return true;
}

/** Whether the folder was empty and is gone, or was never made. */
function removeFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

/**
 * Makes the folders down to `path` that are missing, mode 0700, and gives those that it made.
 * @throws `CTX_NOT_ALLOWED` where one of them is a link or a file.
 */
export function makeFolders(root: string, path: string): string[] {
  const made: string[] = [];
  for (const folder of foldersOf(path)) {
    const stats = lstatSync(join(root, folder), { throwIfNoEntry: false });
    if (stats?.isDirectory() === false) refuse(folder);
    if (stats !== undefined) continue;
    try {
      mkdirSync(join(root, folder), { mode: 0o700 });
    } catch (error) {
      for (const empty of made.reverse()) removeFolder(join(root, empty));
      throw storeError(error, `making the folder ${folder}`);
    }
    made.push(folder);
  }
  return made;
}

/** Removes the folders above `path` as long as they are empty. */
export function removeEmptyFolders(root: string, path: string): void {
  for (const folder of foldersOf(path).reverse()) {
    if (!removeFolder(join(root, folder))) return;
  }
}

/** What lies at a path: nothing, a file, or something that no record can be. */
export function kindOfPlace(path: string): 'nothing' | 'file' | 'foreign' {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'nothing';
    return stats.isFile() ? 'file' : 'foreign';
  } catch (error) {
    if (isMissing(error)) return 'nothing';
    throw storeError(error, `looking at ${basename(path)}`);
  }
}
