import type { History, HistoryCall } from './history.ts';

/** A file that the conversation touched. */
export interface TouchedFile {
  readonly path: string;
  readonly wasRead: boolean;
  readonly wasChanged: boolean;
  /** Where the newest result about it is read again. */
  readonly pointer?: string;
}

/** The files that calls named, the newest touched first. A failed call touches nothing. Makes one pass. */
export function touchedFiles({ calls }: History): TouchedFile[] {
  const files = new Map<string, TouchedFile>();
  const wholePath = wholePaths(calls);
  for (const call of calls) {
    if (call.isError || isUnseenEdit(call)) continue;
    for (const path of new Set(Array.from(pathsOf(call), wholePath))) {
      const known = files.get(path);
      files.delete(path);
      files.set(path, touched(path, call, known));
    }
  }
  return [...files.values()].reverse();
}

/** An edit that nothing shows to have been made. */
function isUnseenEdit({ access, result }: HistoryCall): boolean {
  return access?.access === 'edit' && result === undefined;
}

/** Folders of one path that may be left out where it is told from a folder below the root. */
const maxFolders = 40;

/**
 * Names a file that is told from a folder by its path from the root, where a call told that too: one file is listed once. A name that
 * several such paths end with stays as it is. Takes time linear in the calls.
 */
export function wholePaths(calls: History['calls']): (path: string) => string {
  const byEnd = new Map<string, string>();
  for (const path of new Set(calls.flatMap((call) => [...pathsOf(call)]))) {
    if (!path.startsWith('/')) continue;
    const folders = path.split('/').slice(1);
    for (let at = 1; at < Math.min(folders.length - 1, maxFolders); at += 1) {
      const end = folders.slice(at).join('/');
      byEnd.set(end, byEnd.has(end) ? '' : path);
    }
  }
  return (path) => byEnd.get(path) || path;
}

/** The files that a call names: one, or all of a patch. */
function pathsOf({ path, patched }: HistoryCall): ReadonlySet<string> {
  return new Set([
    ...(path === undefined ? [] : [path]),
    ...(patched ?? []).map((file) => file.path),
  ]);
}

function touched(path: string, call: HistoryCall, known: TouchedFile | undefined): TouchedFile {
  const isEdit = call.access?.access === 'edit';
  const pointer = call.pointer ?? known?.pointer;
  return {
    path,
    wasRead: known?.wasRead === true || !isEdit,
    wasChanged: known?.wasChanged === true || isEdit,
    ...(pointer === undefined ? {} : { pointer }),
  };
}
