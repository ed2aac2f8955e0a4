import type { TextBlock, ToolUseBlock } from '@ctx/core';
import { toolCalls } from '@ctx/relevance';
import { commandsOf, patchesOf } from './commands-of.ts';
import { fileUseOf } from './files/file-use.ts';
import { normalPath } from './files/normal-path.ts';
import { diffedFiles, type PatchedFile, patchedFiles } from './patch-text.ts';
import { programOf, writesFiles } from './shell/script-files.ts';
import { searchBlocks } from './search-blocks.ts';
import { isInPlace, scriptArguments } from './shell/script-lines.ts';
import type { SimpleCommand } from './shell/shell-commands.ts';
import { appliedDiff, editedBy } from './shell/shell-edits.ts';
import { inFolder, shellRuns } from './shell/shell-runs.ts';

/** A file that is written from its first line to its last. */
export interface Overwrite {
  readonly path: string;
  readonly text: string;
}

/** What a call that edits files was made from. */
export interface EditNeeds {
  /** Texts that stand in the files before; one entry an edit. */
  readonly oldTexts: readonly string[];
  /** What files hold after it; how much of it they held before, the call does not tell. */
  readonly overwrites: readonly Overwrite[];
  /** Lines that an edit names by their numbers, first and last, as SWE-agent edits the file that it shows. */
  readonly ranges: readonly (readonly [number, number])[];
}

const noNeeds: EditNeeds = { oldTexts: [], overwrites: [], ranges: [] };

const oldTextNames = new Set(['oldstring', 'oldstr', 'oldtext', 'oldcontent', 'targetcontent']);

/** Names that mean a text to be replaced only beside what replaces it. */
const [seekNames, putNames] = [
  ['search', 'find', 'old'],
  ['replace', 'new'],
];

/** Whether a member is a text to be replaced, however its name is written; editors of several texts number them. */
function isOldText(name: string, owner: object): boolean {
  const isPair = seekNames.includes(name) && putNames.some((other) => Object.hasOwn(owner, other));
  return isPair || oldTextNames.has(name.toLowerCase().replaceAll(/_|\d{1,3}$/g, ''));
}

/** Members such as `old_string`, also further down in `edits: […]`. */
function namedTexts(input: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 3) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isOldText(name, value)) found.push(member);
      else visit(member, depth + 1);
    }
  };
  visit(input, 0);
  return found;
}

function searchedTexts(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const diff: unknown = Reflect.get(input, 'diff');
  return typeof diff === 'string' ? searchBlocks(diff) : [];
}

/** Shortest piece of a pattern that tells where it matches, characters. */
const minPiece = 4;

/** Characters with a special meaning in some kind of pattern. */
const special = new Set('.*^$[](){}+?|');

/** The pieces of a pattern that stand for themselves. */
function literalPieces(pattern: string): string[] {
  const pieces = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    const isEscaped = pattern[at] === '\\';
    if (isEscaped) at += 1;
    const sign = pattern[at] ?? '';
    const isLiteral = isEscaped ? /[^\w(){}+?|<>]/.test(sign) : !special.has(sign);
    if (isLiteral) pieces.push(`${pieces.pop() ?? ''}${sign}`);
    else pieces.push('');
  }
  return pieces;
}

/** The longest piece of a pattern that stands literally in the file. */
function literalOf(pattern: string): string[] {
  const pieces = literalPieces(pattern);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest.trim().length >= minPiece ? [longest] : [];
}

/** Where a part of a script ends: the place of the next mark that is not escaped. */
function endOfPart(script: string, start: number, mark: string): number {
  let end = start;
  while (end < script.length && script[end] !== mark) end += script[end] === '\\' ? 2 : 1;
  return end;
}

/** What the patterns of `/old/d` and `s/old/new/; /there/s/…/…/` look for; of commands with a text of their own nothing more. */
function soughtBy(script: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < script.length) {
    const mark = script[at + 1] ?? '';
    if (script[at] === '/') {
      const end = endOfPart(script, at + 1, '/');
      found.push(...literalOf(script.slice(at + 1, end)));
      at = end + 1;
    } else if (script[at] === 's' && /[^\w\s{([<]/.test(mark)) {
      const end = endOfPart(script, at + 2, mark);
      found.push(...literalOf(script.slice(at + 2, end)));
      at = endOfPart(script, end + 1, mark) + 1;
    } else if (/[\d,$!~+;{}\sdpgmIi]/.test(script[at] ?? '')) at += 1;
    else break;
  }
  return found;
}

function inPlaceNeeds({ words: [program = '', ...words] }: SimpleCommand): string[] {
  if (!/^(?:g?sed|perl|ruby)$/.test(program) || !isInPlace(words)) return [];
  return soughtBy(scriptArguments(words).script);
}

function overwriteOf(command: SimpleCommand): Overwrite[] {
  const { words, heredoc } = command;
  if (heredoc === undefined || !['cat', 'tee'].includes(words[0] ?? '')) return [];
  return editedBy(command).map((path) => ({ path, text: heredoc }));
}

/** Shortest text that a call replaces, characters. */
const leastText = 4;

type Literal = NonNullable<ReturnType<typeof toolCalls.literalAt>>;

/** The string that begins there, perhaps behind white space and the mark of its kind. */
function stringAt(script: string, start: number): Literal | undefined {
  const lead = /^\s{0,20}[rb]?/.exec(script.slice(start, start + 30))?.[0] ?? '';
  return toolCalls.literalAt(script, start + lead.length);
}

/** What a variable that is named there was set to before, such as `old = """…"""`. */
function variableAt(script: string, start: number): Literal | undefined {
  const [all = '', name = ''] =
    /^\s{0,20}([A-Za-z_]\w{0,60})/.exec(script.slice(start, start + 90)) ?? [];
  if (name === '') return undefined;
  const set = [`${name} =`, `${name}=`].map(
    (sign) => script.lastIndexOf(sign, start) + sign.length,
  );
  const value = stringAt(script, Math.max(...set));
  return value && { ...value, end: start + all.length };
}

/** The text with which the arguments of a call begin, if another argument follows it. */
function firstText(script: string, start: number): string[] {
  const found = stringAt(script, start) ?? variableAt(script, start);
  if (found === undefined || found.value.length < leastText) return [];
  return script
    .slice(found.end, found.end + 30)
    .trimStart()
    .startsWith(',')
    ? [found.value]
    : [];
}

/** Most calls that are looked at. */
const mostCalls = 60;

/** `old` in each `text.replace('old', 'new')` of a program that writes files. */
function programNeeds(command: SimpleCommand): string[] {
  const program = programOf(command);
  if (program === undefined || !writesFiles(program)) return [];
  const calls = [...program.matchAll(/\.replace(?:All)?\(/g)].slice(0, mostCalls);
  return calls.flatMap(({ 0: sign, index }) => firstText(program, index + sign.length));
}

/** What patches expect in files. */
function expectedBy(files: readonly PatchedFile[]): string[] {
  return files.flatMap(({ hunks }) => hunks.map((lines) => lines.join('\n')));
}

/** The numbers in `edit 12:14` at the beginning of a command, or in members that say the same. */
function namedNumbers({ name, input }: ToolUseBlock): readonly unknown[] {
  if (typeof input !== 'object' || input === null) return [];
  const command: unknown = Reflect.get(input, 'command');
  const typed = typeof command === 'string' ? /^edit (\d{1,7}):(\d{1,7})\s/.exec(command) : null;
  if (typed !== null) return typed.slice(1);
  return /edit/i.test(name)
    ? [Reflect.get(input, 'start_line'), Reflect.get(input, 'end_line')]
    : [];
}

function numberedLines(call: ToolUseBlock): [number, number][] {
  const [start = 0, end = 0] = namedNumbers(call).map(Number);
  return start > 0 && end >= start ? [[start, end]] : [];
}

function commandNeeds(call: ToolUseBlock): Omit<EditNeeds, 'ranges'> {
  const runs = commandsOf(call).flatMap(({ command, folder }) => shellRuns(command, folder));
  const commands = runs.flatMap(({ pipeline }) => pipeline);
  return {
    oldTexts: commands.flatMap((command) => [
      ...inPlaceNeeds(command),
      ...programNeeds(command),
      ...expectedBy(diffedFiles(appliedDiff(command) ?? '')),
    ]),
    overwrites: runs.flatMap(({ pipeline, folder }) =>
      pipeline
        .flatMap(overwriteOf)
        .map(({ path, text }) => ({ path: normalPath(inFolder(folder, path)), text })),
    ),
  };
}

function written({ name, input }: ToolUseBlock): Overwrite[] {
  const use = fileUseOf({ name, input });
  const [path] = use?.access === 'write' ? use.paths : [];
  if (path === undefined || typeof input !== 'object' || input === null) return [];
  const texts = ['content', 'file_text', 'file_content'].flatMap((member) => {
    const text: unknown = Reflect.get(input, member);
    return typeof text === 'string' ? [text] : [];
  });
  return texts.slice(0, 1).map((text) => ({ path: normalPath(path), text }));
}

/**
 * Tells what an edit rests on. Of a call: old texts of edit tools, lines of patches that stay or go, patterns of `sed -i`, texts that a
 * program replaces, files that are written as a whole, and lines that are named by their numbers. Of a text: what its SEARCH and
 * REPLACE blocks search for, as an agent without tools edits. Empty for others.
 * Takes time linear in the input.
 */
export function editNeedsOf(block: ToolUseBlock | TextBlock): EditNeeds {
  if (block.type === 'text') return { ...noNeeds, oldTexts: searchBlocks(block.text) };
  const patched = expectedBy(patchesOf(block).flatMap(patchedFiles));
  if (patched.length > 0) return { ...noNeeds, oldTexts: patched };
  const { oldTexts, overwrites } = commandNeeds(block);
  return {
    oldTexts: [...namedTexts(block.input), ...searchedTexts(block.input), ...oldTexts],
    overwrites: [...written(block), ...overwrites],
    ranges: numberedLines(block),
  };
}
