import { CtxError } from '@ctx/core';
import type { Redactor } from '@ctx/redact';
import { insertBehind, replaceOnce } from './edit-text.ts';
import type { MemoryFile, MemoryFileChange } from './memory-files.ts';
import { foldersAbove } from './memory-path.ts';
import type { MemoryStep, MemoryView } from './memory-space.ts';

/** What commands need beside the files. */
export interface CommandHost {
  readonly root: string;
  readonly redactor: Redactor;
}

function refused(message: string): CtxError {
  return new CtxError('CTX_INVALID_INPUT', message);
}

function missing(path: string): CtxError {
  const message = `The path ${path} does not exist. Please provide a valid path.`;
  return new CtxError('CTX_NOT_FOUND', message);
}

async function isFolder(view: MemoryView, path: string, root: string): Promise<boolean> {
  return path === root || (await view.below(path)).length > 0;
}

/** Nothing may stand at a path, and each name above it has to be that of a folder. */
async function checkFree(view: MemoryView, path: string, root: string): Promise<void> {
  const [file, ...above] = await view.files([path, ...foldersAbove(path, root)]);
  if (file !== undefined) throw refused(`File ${path} already exists`);
  const taken = above.find((each) => each !== undefined);
  if (taken !== undefined) throw refused(`${taken.path} is a file, not a directory`);
  if (await isFolder(view, path, root)) throw refused(`${path} is a directory`);
}

async function existingFile(view: MemoryView, path: string, root: string): Promise<MemoryFile> {
  const file = await view.file(path);
  if (file !== undefined) return file;
  if (await isFolder(view, path, root)) throw refused(`The path ${path} is not a file.`);
  throw missing(path);
}

/** Takes secrets out of what a model wants to keep, and says so. */
function admitted({ redactor }: CommandHost, text: string): { text: string; note: string } {
  const { value, receipt } = redactor.redact({ text });
  if (receipt.mode !== 'on' || receipt.total === 0) return { text, note: '' };
  const count = receipt.total === 1 ? 'A secret was' : `${String(receipt.total)} secrets were`;
  return { text: value.text, note: `\n[${count} taken out; memory keeps none]` };
}

/** Makes a file. */
export async function createFile(
  host: CommandHost,
  view: MemoryView,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<MemoryStep> {
  if (path === host.root) throw refused(`${path} is a directory`);
  await checkFree(view, path, host.root);
  const kept = admitted(host, text);
  return {
    command: 'create',
    files: [{ path, text: kept.text, before: undefined }],
    answer: `File created successfully at: ${path}${kept.note}`,
  };
}

/** Replaces a text that stands once in a file. */
export async function replaceInFile(
  host: CommandHost,
  view: MemoryView,
  edit: { readonly path: string; readonly wanted: string; readonly replacement: string },
): Promise<MemoryStep> {
  const before = await existingFile(view, edit.path, host.root);
  const { text, snippet } = replaceOnce(before.text, edit);
  const kept = admitted(host, text);
  const shown = kept.note === '' ? `\n${snippet}` : '';
  return {
    command: 'str_replace',
    files: [{ path: edit.path, text: kept.text, before }],
    answer: `The memory file has been edited.${shown === '' ? '' : ` Here is the snippet showing the change (with line numbers):${shown}`}${kept.note}`,
  };
}

/** Puts lines into a file. */
export async function insertIntoFile(
  host: CommandHost,
  view: MemoryView,
  edit: { readonly path: string; readonly line: number; readonly added: string },
): Promise<MemoryStep> {
  const before = await existingFile(view, edit.path, host.root);
  const kept = admitted(host, insertBehind(before.text, edit.line, edit.added));
  return {
    command: 'insert',
    files: [{ path: edit.path, text: kept.text, before }],
    answer: `The file ${edit.path} has been edited.${kept.note}`,
  };
}

/** A file, or all that lies below a folder, whole. */
async function filesAt(view: MemoryView, path: string): Promise<readonly MemoryFile[]> {
  const file = await view.file(path);
  if (file !== undefined) return [file];
  const entries = await view.below(path);
  const found = await view.files(entries.map((entry) => entry.path));
  return found.filter((each) => each !== undefined);
}

/** Deletes a file, or a folder with all that is in it. */
export async function deleteAt(
  { root }: CommandHost,
  view: MemoryView,
  path: string,
): Promise<MemoryStep> {
  if (path === root) {
    throw new CtxError('CTX_NOT_ALLOWED', `Cannot delete the ${root} directory itself`);
  }
  const gone = await filesAt(view, path);
  if (gone.length === 0) throw missing(path);
  const files = gone.map((before) => ({ path: before.path, text: undefined, before }));
  return { command: 'delete', files, answer: `Successfully deleted ${path}` };
}

/** Moves a file, or a folder with all that is in it. */
export async function renameTo(
  { root }: CommandHost,
  view: MemoryView,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<MemoryStep> {
  if (from === root || to === root) {
    throw new CtxError('CTX_NOT_ALLOWED', `Cannot rename the ${root} directory itself`);
  }
  if (to === from || to.startsWith(`${from}/`)) {
    throw refused(`Cannot move ${from} to ${to}, which is the same place or within it`);
  }
  const moved = await filesAt(view, from);
  if (moved.length === 0) throw missing(from);
  const [taken] = await view.files([to]);
  if (taken !== undefined || (await isFolder(view, to, root))) {
    throw refused(`The destination ${to} already exists`);
  }
  await checkFree(view, to, root);
  const files = moved.flatMap((before): MemoryFileChange[] => {
    const path = `${to}${before.path.slice(from.length)}`;
    return [
      { path: before.path, text: undefined, before, movedTo: path },
      { path, text: before.text, before: undefined },
    ];
  });
  return { command: 'rename', files, answer: `Successfully renamed ${from} to ${to}` };
}
