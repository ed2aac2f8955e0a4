/** One program of a command line with its arguments, as a shell would start it. */
export interface SimpleCommand {
  /** The program and its arguments without their quotes, without assignments before it. */
  readonly words: readonly string[];
  /** The assignments before it, `NAME=value`. */
  readonly assigned: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly string[];
  /** Text that it gets as input. */
  readonly heredoc: string | undefined;
}

/** Programs that are joined by pipes, first to last. */
export type Pipeline = readonly SimpleCommand[];

/** Longest command line that is looked at, characters; of a longer one its beginning. */
const maxCommand = 100_000;

/** Words of the shell's own language that stand before a program. */
const keywords: ReadonlySet<string> = new Set(
  'do then else elif if while until time ! { ( sudo command exec env nohup'.split(' '),
);

interface Draft {
  words: string[];
  assigned: string[];
  writes: string[];
  heredoc: string | undefined;
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

const emptyDraft = (): Draft => ({ words: [], assigned: [], writes: [], heredoc: undefined });

const isAssignment = (word: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);

/** Takes what the shell itself takes away from the front of a command. */
function takeFront(draft: Draft): void {
  const found = draft.words.findIndex((word) => !keywords.has(word) && !isAssignment(word));
  const start = found < 0 ? draft.words.length : found;
  draft.assigned = draft.words.slice(0, start).filter(isAssignment);
  draft.words = draft.words.slice(start);
}

function endCommand(reader: Reader): void {
  const { draft } = reader;
  takeFront(draft);
  const { words, assigned, writes } = draft;
  if (words.length + assigned.length + writes.length > 0) reader.pipeline.push(draft);
  reader.draft = emptyDraft();
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

function takeWord(reader: Reader, word: string): void {
  const { redirect, draft } = reader;
  reader.redirect = undefined;
  if (redirect === undefined) draft.words.push(word);
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
  const operator = /^(?:<<-?|>>|>\||[<>])/.exec(reader.text.slice(reader.at, reader.at + 3))?.[0];
  reader.at += operator?.length ?? 1;
  // The number of a stream before it is no argument.
  if (/^[012]$/.test(reader.draft.words.at(-1) ?? '')) reader.draft.words.pop();
  const isStream = reader.text[reader.at] === '&';
  if (isStream)
    reader.at += /^&[0-9-]*/.exec(reader.text.slice(reader.at, reader.at + 4))?.[0].length ?? 1;
  else reader.redirect = operator;
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
  reader.at += isDouble ? 2 : 1;
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
    ...{ draft: emptyDraft(), redirect: undefined, awaited: [] },
  };
  while (reader.at < reader.text.length) {
    if (skipBlank(reader)) continue;
    const sign = reader.text[reader.at] ?? '';
    if (wordEnds.has(sign)) readOperator(reader, sign);
    else takeWord(reader, readWord(reader));
  }
  endPipeline(reader);
  return reader.pipelines;
}
