/** Folders of one path that are looked at, and the longest name of a root, characters. */
const maxFolders = 40;
const maxRoot = 300;

/** So many files must lie below a root before naming it once is worth its line. */
const leastFiles = 3;

/**
 * The folder, with its last slash, that saves most when the files below it are named from there: '' where none does. The folder of a
 * file itself stays in its name. Takes time linear in the paths, at most 40 folders each.
 */
export function commonRoot(paths: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const path of new Set(paths)) {
    for (const root of rootsOf(path)) counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  let best = '';
  let saved = 0;
  for (const [root, count] of counts) {
    if (count < leastFiles || count * root.length <= saved) continue;
    best = root;
    saved = count * root.length;
  }
  return best;
}

function rootsOf(path: string): string[] {
  const roots: string[] = [];
  const folder = path.lastIndexOf('/', path.lastIndexOf('/') - 1);
  for (
    let end = path.indexOf('/', 1);
    end !== -1 && end <= folder;
    end = path.indexOf('/', end + 1)
  ) {
    if (roots.length >= maxFolders || end >= maxRoot) break;
    roots.push(path.slice(0, end + 1));
  }
  return roots;
}

/** Stands for the root in the name of a file. */
const short = '…/';

/** A path as it is named where the root is known. */
export function fromRoot(path: string, root: string): string {
  return root !== '' && path.startsWith(root) ? `${short}${path.slice(root.length)}` : path;
}

/** The line that tells the root. */
export function rootLine(root: string): string {
  return `### ${short} is ${root}`;
}

/** The root that a line tells; undefined where it is no such line. */
export function rootOfLine(line: string): string | undefined {
  const start = rootLine('');
  return line.startsWith(start) && line.length > start.length
    ? line.slice(start.length)
    : undefined;
}

/** The path that a name stands for. */
export function withRoot(name: string, root: string): string {
  return root !== '' && name.startsWith(short) ? `${root}${name.slice(short.length)}` : name;
}
