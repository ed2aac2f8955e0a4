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
  for (const call of calls) {
    if (call.isError) continue;
    for (const path of pathsOf(call)) {
      const known = files.get(path);
      files.delete(path);
      files.set(path, touched(path, call, known));
    }
  }
  return [...files.values()].reverse();
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
