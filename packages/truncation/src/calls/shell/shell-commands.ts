import { bracedWords } from './shell-braces.ts';
import { isAssignment, wordsBefore } from './shell-wrappers.ts';

/** A shell that a command line starts for a part of itself, in parentheses; what it sets ends with it. */
export interface Shell {
  /** The shell that it stands in; left out for the first one. */
  readonly outer?: Shell;
}

/** One program of a command line with its arguments, as a shell would start it. */
export interface SimpleCommand {
  /** The program and its arguments without their quotes, without assignments before it. */
  readonly words: readonly string[];
  /** The assignments before it, `NAME=value`. */
  readonly assigned: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly string[];
  /** Files that its input comes from. */
  readonly reads: readonly string[];
  /** Text that it gets as input. */
  readonly heredoc: string | undefined;
  /** Where it is started. */
  readonly shell: Shell;
}

/** Programs that are joined by pipes, first to last. */
export type Pipeline = readonly SimpleCommand[];

/** Longest command line that is looked at, characters; of a longer one its beginning. */
const maxCommand = 100_000;

interface Draft {
  words: string[];
  assigned: string[];
  writes: string[];
  reads: string[];
  heredoc: string | undefined;
  shell: Shell;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly pipelines: SimpleCommand[][];
  pipeline: SimpleCommand[];
  draft: Draft;
  /** The redirection whose target comes next. */
  redirect: string | undefined;
  /** Ends of the texts that begin after this line. */
  awaited: { readonly mark: string; readonly owner: Draft }[];
}

const emptyDraft = (shell: Shell): Draft => ({
  ...{ words: [], assigned: [], writes: [], reads: [], heredoc: undefined, shell },
});

/** Takes what the shell itself takes away from the front of a command. */
function takeFront(draft: Draft): void {
  const start = wordsBefore(draft.words);
  draft.assigned = draft.words.slice(0, start).filter(isAssignment);
  draft.words = draft.words.slice(start);
}

function endCommand(reader: Reader): void {
  const { draft } = reader;
  takeFront(draft);
  const { words, assigned, writes } = draft;
  if (words.length + assigned.length + writes.length > 0) reader.pipeline.push(draft);
  reader.draft = emptyDraft(draft.shell);
  reader.redirect = undefined;
}

function endPipeline(reader: Reader): void {
  endCommand(reader);
  if (reader.pipeline.length > 0) reader.pipelines.push(reader.pipeline);
  reader.pipeline = [];
}

/** Reads from an opening quote; gives what stands in it. */
function readQuoted(reader: Reader, quote: string): string {
  const { text } = reader;
  let word = '';
  reader.at += 1;
  while (reader.at < text.length && text[reader.at] !== quote) {
    if (quote === '"' && text[reader.at] === '\\') reader.at += 1;
    word += text[reader.at] ?? '';
    reader.at += 1;
  }
  reader.at += 1;
  return word;
}

const wordEnds = new Set([' ', '\t', '\n', '\r', ';', '|', '&', '<', '>', '(', ')']);

function readWord(reader: Reader): string {
  const { text } = reader;
  let word = '';
  while (reader.at < text.length) {
    const sign = text[reader.at] ?? '';
    if (sign === '$' && text[reader.at + 1] === '(') return word + readNested(reader);
    if (wordEnds.has(sign)) break;
    if (sign === '"' || sign === "'") {
      word += readQuoted(reader, sign);
      continue;
    }
    if (sign === '\\') reader.at += 1;
    word += text[reader.at] ?? '';
    reader.at += 1;
  }
  return word;
}

/** Passes `$(…)`: what it gives is not known. */
function readNested(reader: Reader): string {
  const start = reader.at;
  let depth = 0;
  while (reader.at < reader.text.length) {
    const sign = reader.text[reader.at];
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    reader.at += 1;
    if (sign === ')' && depth === 0) break;
  }
  return reader.text.slice(start, reader.at);
}

/** Takes the words from here to the next blank or operator. */
function takeWords(reader: Reader): void {
  const braced = reader.redirect === undefined ? bracedWords(reader.text, reader.at) : undefined;
  if (braced === undefined) {
    takeWord(reader, readWord(reader));
    return;
  }
  reader.draft.words.push(...braced.words);
  reader.at = braced.end;
}

function takeWord(reader: Reader, word: string): void {
  const { redirect, draft } = reader;
  reader.redirect = undefined;
  if (redirect === undefined) draft.words.push(word);
  else if (redirect === '<<<') draft.heredoc = word;
  else if (redirect === '<') draft.reads.push(word);
  else if (redirect.startsWith('<<')) reader.awaited.push({ mark: word, owner: draft });
  else if (redirect.startsWith('>') && !word.startsWith('&')) draft.writes.push(word);
}

/** At the end of a line: the texts that were announced in it. */
function readHeredocs(reader: Reader): void {
  for (const { mark, owner } of reader.awaited) {
    const lines: string[] = [];
    while (reader.at < reader.text.length) {
      const end = reader.text.indexOf('\n', reader.at);
      const line = reader.text.slice(reader.at, end < 0 ? undefined : end);
      reader.at = end < 0 ? reader.text.length : end + 1;
      if (line.trim() === mark) break;
      lines.push(line);
    }
    owner.heredoc = lines.join('\n');
  }
  reader.awaited = [];
}

function readRedirect(reader: Reader): void {
  const operator = /^(?:<<<|<<-?|>>|>\||[<>])/.exec(
    reader.text.slice(reader.at, reader.at + 3),
  )?.[0];
  reader.at += operator?.length ?? 1;
  // The number of a stream before it is no argument.
  if (/^[012]$/.test(reader.draft.words.at(-1) ?? '')) reader.draft.words.pop();
  const isStream = reader.text[reader.at] === '&';
  if (isStream)
    reader.at += /^&[0-9-]*/.exec(reader.text.slice(reader.at, reader.at + 4))?.[0].length ?? 1;
  else reader.redirect = operator;
}

/** A parenthesis begins a shell or ends it. */
function changeShell(draft: Draft, sign: string): boolean {
  const { shell } = draft;
  if (sign === '(') draft.shell = { outer: shell };
  else if (sign === ')') draft.shell = shell.outer ?? shell;
  else return false;
  return true;
}

function readOperator(reader: Reader, sign: string): void {
  const isDouble = reader.text[reader.at + 1] === sign;
  if (sign === '<' || sign === '>') {
    readRedirect(reader);
    return;
  }
  if (sign === '&' && reader.text[reader.at + 1] === '>') {
    reader.at += 1;
    return;
  }
  if (sign === '|' && !isDouble) endCommand(reader);
  else endPipeline(reader);
  const isParenthesis = changeShell(reader.draft, sign);
  reader.at += isDouble && !isParenthesis ? 2 : 1;
  if (sign === '\n') readHeredocs(reader);
}

/** Where what no program gets ends: blanks, lines that go on, comments. */
const blank = /(?:[ \t\r]|\\\n)+|(?<![^\s;])#[^\n]*/y;

function skipBlank(reader: Reader): boolean {
  blank.lastIndex = reader.at;
  const length = blank.exec(reader.text)?.[0].length ?? 0;
  reader.at += length;
  return length > 0;
}

/**
 * Splits a command line into what a shell would start. Never throws; what it does not understand becomes words.
 * Takes time linear in the first 100,000 characters.
 */
export function pipelinesOf(command: string): readonly Pipeline[] {
  const reader: Reader = {
    ...{ text: command.slice(0, maxCommand), at: 0, pipelines: [], pipeline: [] },
    ...{ draft: emptyDraft({}), redirect: undefined, awaited: [] },
  };
  while (reader.at < reader.text.length) {
    if (skipBlank(reader)) continue;
    const sign = reader.text[reader.at] ?? '';
    if (wordEnds.has(sign)) readOperator(reader, sign);
    else takeWords(reader);
  }
  endPipeline(reader);
  return reader.pipelines;
}
