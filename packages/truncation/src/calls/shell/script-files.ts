import { isPath } from './shell-arguments.ts';
import type { SimpleCommand } from './shell-commands.ts';

/** The text of a program that is given to an interpreter. */
export function programOf({ words, heredoc }: SimpleCommand): string | undefined {
  if (!/^(?:\S*\/)?(?:python[0-9.]*|node|ruby|deno|bun)$/.test(words[0] ?? '')) return undefined;
  const inline = words.findIndex((word) => /^(?:-c|-e|-p|-pe|eval)$/.test(word));
  if (inline < 0) return heredoc;
  const program = words[inline + 1];
  // What it prints is its last value.
  return /^-p/.test(words[inline] ?? '') ? `print(${program ?? ''})` : program;
}

const opened =
  /(?:open|Path|read_text_file|(?:read|write)(?:Text)?File(?:Sync)?|File\.(?:read|write|readlines))\( ?(?:["'`]([^"'`\n]{1,300})["'`]|([A-Za-z_]\w{0,60})\b)/g;

/** Longest value of a variable that is looked at, characters. */
const maxValue = 600;

const literal = /["'`]([^"'`\n]{1,300})["'`]/g;

/** What variables of a program hold: `p = 'a.py'`, and each path in `for p in ['a.py', 'b.py']`. */
function pathsByName(program: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const set = /\b(\w{1,60})(?: ?= ?|(?: in | of ))(?=["'`[(])/g;
  for (const { 0: sign, 1: name = '', index } of program.matchAll(set)) {
    const start = index + sign.length;
    const [line = ''] = program.slice(start, start + maxValue).split(/\]|\)|;|\n\w/, 1);
    const values = [...line.matchAll(literal)].map(([, path = '']) => path);
    if (values.length > 0 && !found.has(name)) found.set(name, values);
  }
  return found;
}

/** The files that a program opens, as far as literals and its variables tell. */
export function filesOpened(program: string): string[] {
  const values = pathsByName(program);
  const named = [...program.matchAll(opened)].flatMap(([, path, name = '']) =>
    path === undefined ? (values.get(name) ?? []) : [path],
  );
  return [...new Set(named)].filter(isPath);
}

/** Whether a program writes files. */
export function writesFiles(program: string): boolean {
  // `open(path, 'w')` ends with the mode, whatever stands before it.
  const opens = /,\s?["'][wa]b?\+?["']/;
  const writes = /write_text\(|(?<!std(?:out|err))\.write\(|write(?:Text)?File(?:Sync)?\(/;
  return writes.test(program) || (program.includes('open(') && opens.test(program));
}
