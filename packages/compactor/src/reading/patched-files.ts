import { readOwnText } from './read-own.ts';

/** A file that a patch writes to, with the lines that it adds. */
export interface PatchedFile {
  readonly path: string;
  readonly lines: readonly string[];
}

const patchKeys: readonly string[] = ['input', 'patch', 'patchText'];
const deleted = /^\*\*\* Delete/;
const header = /^\*\*\* (?:Add|Update|Delete) File: (.{1,1024})$/;
const moved = /^\*\*\* Move to: (.{1,1024})$/;

/**
 * Takes a patch apart by file; empty where the arguments hold none. Deleted files are left out. Never throws. Source: the form of
 * Codex and opencode (`*** Begin Patch`).
 */
export function patchedFiles(input: unknown): PatchedFile[] {
  const text = typeof input === 'string' ? input : readOwnText(input, patchKeys);
  if (text?.trimStart().startsWith('*** Begin Patch') !== true) return [];
  const files: { path: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const path = header.exec(line)?.[1];
    if (path !== undefined) files.push({ path: deleted.test(line) ? '' : path, lines: [] });
    else takeLine(files.at(-1), line);
  }
  return files.filter(({ path }) => path !== '');
}

function takeLine(file: { path: string; lines: string[] } | undefined, line: string): void {
  if (file === undefined) return;
  if (line.startsWith('+')) file.lines.push(line.slice(1));
  file.path = moved.exec(line)?.[1] ?? file.path;
}
