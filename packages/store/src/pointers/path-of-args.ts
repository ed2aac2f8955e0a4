/** The names under which well-known tools take a file, most telling first; in lower case and without `_` and `-`. */
const pathKeys: readonly string[] = [
  'filepath',
  'notebookpath',
  'targetfile',
  'absolutepath',
  'relativepath',
  'pathinproject',
  'filename',
  'file',
  'path',
];

/** The shell commands whose argument is the file they show. */
const readers: ReadonlySet<string> = new Set([
  'cat',
  'head',
  'tail',
  'sed',
  'nl',
  'less',
  'more',
  'wc',
]);

/** Longest path that is believed, characters. */
const maxPath = 1_024;
/** How much of a command is looked at, characters. */
const maxCommand = 2_048;

/**
 * Returns the file that a call's arguments name: under a well-known key, however it is written, else the first path-like word of a `command` that
 * begins with a program that shows files (`cat`, `head`, `tail`, `sed`, `nl`, `less`, `more`, `wc`). `undefined` where there is none.
 * Never throws; a hint only, never to be opened.
 */
export function pathOfArgs(args: unknown): string | undefined {
  const names = keysOf(args);
  for (const key of pathKeys) {
    for (const name of names.get(key) ?? []) {
      const value = readOwn(args, name);
      if (typeof value === 'string' && isPath(value)) return value;
    }
  }
  const command = readOwn(args, 'command') ?? readOwn(args, 'cmd');
  return typeof command === 'string' ? pathOfCommand(command.slice(0, maxCommand)) : undefined;
}

/** Most arguments that are looked at. */
const maxKeys = 100;

/** The names of arguments by their plain form. */
function keysOf(args: unknown): Map<string, string[]> {
  const names = new Map<string, string[]>();
  if (typeof args !== 'object' || args === null) return names;
  for (const name of Object.keys(args).slice(0, maxKeys)) {
    const plain = name.replaceAll(/[_-]/g, '').toLowerCase();
    names.set(plain, [...(names.get(plain) ?? []), name]);
  }
  return names;
}

function readOwn(args: unknown, key: string): unknown {
  try {
    if (typeof args !== 'object' || args === null || !Object.hasOwn(args, key)) return undefined;
    return Reflect.get(args, key);
  } catch {
    return undefined;
  }
}

function isPath(text: string): boolean {
  return text.trim() !== '' && text.length <= maxPath && !/[\0\r\n]/.test(text);
}

function pathOfCommand(command: string): string | undefined {
  const [program, ...words] = command.trim().split(/\s+/);
  if (program === undefined || !readers.has(program)) return undefined;
  for (const word of words) {
    if (/^[|;&<>]/.test(word)) return undefined;
    const path = word.replace(/^['"]/, '').replace(/['";]{1,2}$/, '');
    // Scripts (`s/a/b/`, `1,20p`) and patterns hold signs that plain paths do not.
    if (isFileName(path) && !word.startsWith('-')) return path;
  }
  return undefined;
}

function isFileName(word: string): boolean {
  if (word.length > maxPath || !/^[\w.~@+/-]+$/.test(word)) return false;
  const isScript = /^[sy]\//.test(word) || /^\/.*\/[a-z]?$/.test(word);
  return !isScript && /[./]/.test(word);
}
