import { literalAt } from './literals.ts';

/** A command that code starts, and the folder that it runs in. */
export interface CodedCommand {
  readonly command: string;
  readonly folder: string | undefined;
}

/** What a program in the tool language of Codex asks for. */
export interface CodedCalls {
  readonly commands: readonly CodedCommand[];
  /** Other literals with a space in them, where some command is no literal: it may be one of these. */
  readonly candidates: readonly CodedCommand[];
  readonly patches: readonly string[];
}

/** Longest program that is looked at, characters. */
const maxCode = 200_000;

/** The literal after a name such as `cmd:` or `"cmd":`. */
function literalsOf(code: string, name: string): { readonly at: number; readonly value: string }[] {
  const found = [];
  for (const match of code.matchAll(
    new RegExp(`["']?\\b${name}["']?[ \\t]?:[ \\t\\n]{0,20}`, 'g'),
  )) {
    const value = literalAt(code, match.index + match[0].length)?.value;
    if (value !== undefined) found.push({ at: match.index, value });
  }
  return found;
}

/** Most literals that are looked at. */
const maxLiterals = 60;

/** All literals of a program on one line. */
function allLiterals(code: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < code.length && found.length < maxLiterals; at += 1) {
    const literal = literalAt(code, at);
    if (literal === undefined) continue;
    const { value, end } = literal;
    at = end - 1;
    if (value.includes(' ') && value.length < 2000) found.push(value);
  }
  return found;
}

/** Patches stand in literals of their own. */
function patchesIn(code: string): string[] {
  const patches = [];
  for (
    let at = code.indexOf('*** Begin Patch');
    at >= 0;
    at = code.indexOf('*** Begin Patch', at + 1)
  ) {
    const raw = code.slice(0, at);
    const start = Math.max(raw.lastIndexOf('"'), raw.lastIndexOf("'"), raw.lastIndexOf('`'));
    const value = start < 0 ? undefined : literalAt(code, start)?.value;
    if (value !== undefined) patches.push(value);
  }
  return patches;
}

/**
 * Finds the commands and patches that stand as literals in a program of Codex's code mode, such as
 * `await tools.exec_command({ cmd: "sed -n '1,80p' a.go", workdir: "/src" })`. `undefined` for other texts.
 * Takes time linear in the first 200,000 characters.
 */
export function codedCalls(code: string): CodedCalls | undefined {
  if (!code.includes('tools.')) return undefined;
  const seen = code.slice(0, maxCode);
  const folders = literalsOf(seen, 'workdir');
  const commands = literalsOf(seen, 'cmd').map(({ at, value: command }, index, all) => {
    const next = all[index + 1]?.at ?? Infinity;
    const own = folders.find((folder) => folder.at > at && folder.at < next);
    return { command, folder: (own ?? folders[0])?.value };
  });
  const started = seen.split('exec_command(').length - 1;
  const isTold = started === 0 || commands.length > 0;
  const candidates = isTold
    ? []
    : allLiterals(seen).map((command) => ({ command, folder: folders[0]?.value }));
  return { commands, candidates, patches: patchesIn(seen) };
}
