import { counted } from './choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  shareOf,
} from './compressor.ts';

/** Lists up to this are shown whole, lines. */
const wholeUpTo = 200;

/** A path and nothing else: no blank, no character of code; a slash or an extension. */
const path = /^(?:[A-Za-z]:\\)?[^\s:;,"'`<>|{}()=*?]{1,300}$/;

function isPath(line: string): boolean {
  return path.test(line) && /[/\\]|\.\w{1,8}$/.test(line);
}

function folderOf(line: string): string {
  const end = Math.max(
    line.lastIndexOf('/', line.length - 2),
    line.lastIndexOf('\\', line.length - 2),
  );
  return end < 0 ? '.' : line.slice(0, end + 1);
}

/** The folder above; `undefined` for one that has none. */
function above(folder: string): string | undefined {
  const parent = folderOf(folder);
  return parent === '.' || parent === folder || parent === '' ? undefined : parent;
}

/** Files of each folder; folders are put into those above them, deepest first, until they fit. */
function countFolders(paths: readonly string[], most: number): Map<string, number> {
  let counts = new Map<string, number>();
  for (const line of paths) counts.set(folderOf(line), (counts.get(folderOf(line)) ?? 0) + 1);
  let size = sizeOf(counts);
  while (size > most) {
    const deepest = Math.max(...[...counts.keys()].map(depthOf));
    const next = new Map<string, number>();
    for (const [folder, count] of counts) {
      const place = depthOf(folder) === deepest ? (above(folder) ?? folder) : folder;
      next.set(place, (next.get(place) ?? 0) + count);
    }
    const nextSize = sizeOf(next);
    counts = next;
    if (nextSize >= size) return counts;
    size = nextSize;
  }
  return counts;
}

function depthOf(folder: string): number {
  return folder.split(/[/\\]/).length;
}

function sizeOf(counts: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const folder of counts.keys()) size += folder.length + 14;
  return size;
}

/** The lines, as far as there is room, and how many there is none for. */
function within(lines: readonly string[], most: number) {
  let spent = 0;
  const shown: string[] = [];
  for (const line of lines) {
    if (spent + line.length + 1 > most) break;
    spent += line.length + 1;
    shown.push(line);
  }
  return { shown, lost: lines.length - shown.length };
}

function compressPaths({ lines, isWorkWord, limits }: CompressInput): CompressDraft {
  const paths = lines.filter(isPath);
  const others = lines.filter((line) => !isPath(line) && line.trim() !== '');
  const named = findWorkLines(paths, isWorkWord).map((index) => paths[index] ?? '');
  const counts = countFolders(paths, limits.wanted);
  const folders = [...counts].map(([folder, count]) => `${folder} ${counted(count, 'path')}`);
  const shownNamed = within(named, limits.wanted);
  const shownOthers = within(others, limits.wanted);
  const shownFolders = within(folders, limits.most);
  const left = [
    `${counted(paths.length - shownNamed.shown.length, 'path')} of ${String(paths.length)}`,
  ];
  if (shownOthers.lost > 0) left.push(counted(shownOthers.lost, 'other line'));
  if (shownFolders.lost > 0)
    left.push(`${counted(shownFolders.lost, 'folder')}, for which there is no room`);
  const parts = [
    ...shownOthers.shown,
    ...(named.length === 0 ? [] : ['paths with words of the task:', ...shownNamed.shown]),
    'folders, with the number of paths below that are not counted further down:',
    ...shownFolders.shown,
  ];
  return { body: parts.join('\n'), left };
}

/** Lists of paths: whole up to 200; then folders with counts, and the paths with words of the work. */
export const pathList: Compressor = {
  kind: 'list of paths',
  matches: ({ lines }) => lines.length >= 20 && shareOf(lines, isPath) >= 0.9,
  compress: (input) => (input.lines.length <= wholeUpTo ? undefined : compressPaths(input)),
};
