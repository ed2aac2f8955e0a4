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
    if (call.path === undefined || call.isError) continue;
    const known = files.get(call.path);
    files.delete(call.path);
    files.set(call.path, touched(call.path, call, known));
  }
  return [...files.values()].reverse();
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
