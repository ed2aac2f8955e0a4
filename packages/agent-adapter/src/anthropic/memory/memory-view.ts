import { CtxError } from '@ctx/core';
import type { MemoryEntry } from './memory-files.ts';
import { isHiddenName } from './memory-path.ts';
import type { MemoryPolicy } from './memory-policy.ts';

const numberWidth = 6;

/** A size as people write it. */
function sizeText(bytes: number): string {
  const units = ['B', 'K', 'M', 'G'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${Number.isInteger(size) ? String(size) : size.toFixed(1)}${units[unit] ?? ''}`;
}

/** Lines with their numbers. */
export function numberedLines(lines: readonly string[], first: number): string {
  return lines
    .map((line, index) => `${String(index + first).padStart(numberWidth)}\t${line}`)
    .join('\n');
}

/** What a look leaves out of single lines. */
function cutNotes(
  lines: readonly string[],
  first: number,
  { maxViewCharacters }: MemoryPolicy,
): readonly string[] {
  return lines.flatMap(({ length }, index) => {
    const left = length - maxViewCharacters;
    if (left <= 0) return [];
    const line = `line ${String(first + index)} has ${String(length)} characters`;
    return [`[${line}; ${String(left)} of them are not shown]`];
  });
}

/** The lines that are asked for, as far as one look may show them. */
export function fileView(
  path: string,
  text: string,
  {
    range,
    policy,
  }: { readonly range?: readonly [number, number] | undefined; readonly policy: MemoryPolicy },
): string {
  const lines = text.split('\n');
  const first = Math.max(1, range?.[0] ?? 1);
  if (first > lines.length) {
    const given = `${path} has ${String(lines.length)} lines, so none begins at ${String(first)}`;
    throw new CtxError('CTX_INVALID_ADDRESS', `Invalid \`view_range\` parameter: ${given}.`);
  }
  const asked = range === undefined || range[1] === -1 ? lines.length : range[1];
  const wanted = lines.slice(first - 1, Math.max(first - 1, asked));
  const shown: string[] = [];
  let characters = 0;
  for (const line of wanted) {
    characters += line.length + numberWidth + 2;
    if (characters > policy.maxViewCharacters && shown.length > 0) break;
    shown.push(line.slice(0, policy.maxViewCharacters));
  }
  const content = `Here's the content of ${path} with line numbers:\n${numberedLines(shown, first)}`;
  const head = [content, ...cutNotes(wanted.slice(0, shown.length), first, policy)].join('\n');
  if (shown.length === wanted.length) return head;
  const next = first + shown.length;
  const seen = `lines ${String(first)} to ${String(next - 1)} of ${String(lines.length)} are shown`;
  const rest = `view_range [${String(next)}, ${String(Math.min(asked, lines.length))}]`;
  return `${head}\n[${seen}; view the rest with ${rest}]`;
}

interface Listed {
  readonly path: string;
  bytes: number;
  readonly isFolder: boolean;
}

/** Files and folders down to two levels, hidden ones left out. */
function listed(path: string, entries: readonly MemoryEntry[]): Listed[] {
  const found = new Map<string, Listed>();
  for (const { path: file, bytes } of entries) {
    const names = file.slice(path.length + 1).split('/');
    const shown = names.slice(0, 2);
    if (shown.some(isHiddenName)) continue;
    for (const [index] of shown.entries()) {
      const at = `${path}/${names.slice(0, index + 1).join('/')}`;
      const known = found.get(at);
      if (known === undefined) {
        found.set(at, { path: at, bytes, isFolder: index < names.length - 1 });
      } else known.bytes += bytes;
    }
  }
  return [...found.values()];
}

/** A folder two levels deep, with sizes. */
export function folderView(
  path: string,
  entries: readonly MemoryEntry[],
  { maxViewEntries }: MemoryPolicy,
): string {
  const head = `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;
  const all = listed(path, entries);
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const lines = all
    .slice(0, maxViewEntries)
    .map(({ path: at, bytes, isFolder }) => `${sizeText(bytes)}\t${at}${isFolder ? '/' : ''}`);
  const left = all.length - lines.length;
  const note = left > 0 ? [`[${String(left)} more are not shown; view a directory below]`] : [];
  return [head, `${sizeText(total)}\t${path}`, ...lines, ...note].join('\n');
}
