import type { ToolUseBlock } from '@ctx/core';
import { commandsOf, patchesOf } from './commands-of.ts';
import { fileUseOf } from './files/file-use.ts';
import { normalPath } from './files/normal-path.ts';
import { patchedFiles } from './patch-text.ts';
import { isPath } from './shell-arguments.ts';
import { pipelinesOf, type SimpleCommand } from './shell-commands.ts';

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
}

const oldTextNames = new Set(['old_string', 'old_str', 'oldString', 'old_text', 'oldText']);

/** Whether a member is a text to be replaced; `search` is one only beside `replace`. */
function isOldText(name: string, owner: object): boolean {
  return oldTextNames.has(name) || (name === 'search' && Object.hasOwn(owner, 'replace'));
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

/** The lines that begin and end what Cline and Roo search for. */
const searchStart = /^[<-]{5,9} SEARCH/;
const searchEnd = /^={5,9}$/;

/** The texts between two such lines. Makes one pass over the lines. */
function searchBlocks(diff: string): string[] {
  const found: string[] = [];
  let open: string[] | undefined;
  for (const line of diff.split('\n')) {
    if (open === undefined) {
      if (searchStart.test(line)) open = [];
    } else if (searchEnd.test(line)) {
      found.push(open.join('\n'));
      open = undefined;
    } else open.push(line);
  }
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

/** The pattern of a script `s/old/new/`, up to the first mark that is not escaped. */
function patternOf(script: string): string | undefined {
  const start = /^(?:\d+(?:,\d+)?)?s(?=[^\w\s])/.exec(script)?.[0].length;
  if (start === undefined) return undefined;
  let end = start + 1;
  while (end < script.length && script[end] !== script[start]) end += script[end] === '\\' ? 2 : 1;
  return script.slice(start + 1, end);
}

/** The longest piece of a script `s/old/new/` that stands literally in the file. */
function replacedBySed(script: string): string | undefined {
  const pieces = literalPieces(patternOf(script) ?? '');
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest.trim().length >= minPiece ? longest : undefined;
}

function sedNeeds({ words }: SimpleCommand): string[] {
  if (words[0] !== 'sed' || !words.some((word) => /^-[a-zA-Z]*i/.test(word))) return [];
  return words.slice(1).flatMap((word) => replacedBySed(word) ?? []);
}

function overwriteOf(command: SimpleCommand): Overwrite[] {
  const { words, writes, heredoc } = command;
  if (heredoc === undefined || !['cat', 'tee'].includes(words[0] ?? '')) return [];
  const targets =
    words[0] === 'tee' ? words.slice(1).filter((word) => !word.startsWith('-')) : writes;
  return targets.filter(isPath).map((path) => ({ path: normalPath(path), text: heredoc }));
}

/** Shortest and longest text of a call that replaces it, characters. */
const [leastText, mostText] = [4, 4000];

/** Where a string of a program ends that begins after its quote; -1 where it does not. */
function endOfString(script: string, start: number, quote: string): number {
  const limit = Math.min(script.length, start + mostText);
  for (let at = start; at < limit; at += 1) {
    if (script.startsWith(quote, at)) return at;
    if (quote.length === 1 && script[at] === '\n') return -1;
    if (script[at] === '\\') at += 1;
  }
  return -1;
}

/** The string with which the arguments of a call begin, if another argument follows it. */
function firstString(script: string, start: number): string[] {
  const lead = /^\s{0,20}[rb]?/.exec(script.slice(start, start + 30))?.[0] ?? '';
  const from = start + lead.length;
  const quote = ['"""', "'''", '"', "'"].find((each) => script.startsWith(each, from));
  if (quote === undefined) return [];
  const end = endOfString(script, from + quote.length, quote);
  const text = end === -1 ? '' : script.slice(from + quote.length, end);
  const after = script.slice(end + quote.length, end + quote.length + 30).trimStart();
  return text.length >= leastText && after.startsWith(',') ? [text] : [];
}

/** `old` in each `text.replace('old', 'new')` of a program. Looks at no more than 4,000 characters of a call. */
function replacedTexts(script: string): string[] {
  const call = '.replace(';
  const found: string[] = [];
  for (let at = script.indexOf(call); at !== -1; at = script.indexOf(call, at + 1)) {
    found.push(...firstString(script, at + call.length));
  }
  return found;
}

function scriptNeeds({ words, heredoc }: SimpleCommand): string[] {
  if (heredoc === undefined || !/python|node/.test(words[0] ?? '')) return [];
  if (!/write_text\(|\.write\(|writeFileSync\(/.test(heredoc)) return [];
  return replacedTexts(heredoc).map((text) =>
    text
      .replaceAll('\\n', '\n')
      .replaceAll('\\t', '\t')
      .replaceAll(/\\(["'\\])/g, '$1'),
  );
}

function commandNeeds(call: ToolUseBlock): EditNeeds {
  const commands = commandsOf(call).flatMap(({ command }) => pipelinesOf(command).flat());
  return {
    oldTexts: commands.flatMap((command) => [...sedNeeds(command), ...scriptNeeds(command)]),
    overwrites: commands.flatMap(overwriteOf),
  };
}

function written({ name, input }: ToolUseBlock): Overwrite[] {
  const use = fileUseOf({ name, input });
  const [path] = use?.access === 'write' ? use.paths : [];
  if (path === undefined || typeof input !== 'object' || input === null) return [];
  const text: unknown = Reflect.get(input, 'content');
  return typeof text === 'string' ? [{ path: normalPath(path), text }] : [];
}

/**
 * Tells what a call that edits rests on: old texts of edit tools, lines of patches that stay or go, patterns of `sed -i`, texts that a
 * program replaces, and files that are written as a whole. Empty for other calls.
 * Takes time linear in the input.
 */
export function editNeedsOf(call: ToolUseBlock): EditNeeds {
  const hunks = patchesOf(call).flatMap((patch) =>
    patchedFiles(patch).flatMap((file) => file.hunks),
  );
  if (hunks.length > 0) return { oldTexts: hunks.map((lines) => lines.join('\n')), overwrites: [] };
  const { oldTexts, overwrites } = commandNeeds(call);
  return {
    oldTexts: [...namedTexts(call.input), ...searchedTexts(call.input), ...oldTexts],
    overwrites: [...written(call), ...overwrites],
  };
}
