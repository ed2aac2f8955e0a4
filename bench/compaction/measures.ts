import { brotliCompressSync, constants } from 'node:zlib';
import { callsOf, type Message } from '@ctx/core';
import { toolCalls } from '@ctx/relevance';
import { pathOfArgs } from '@ctx/store';
import type { Boundary } from './boundaries.ts';
import { inputText, textOfHistory, writtenTexts } from './text-of-history.ts';

/** How much of what the agent used next a text still holds, each 0 to 1; NaN where there was nothing to hold. */
export interface Measures {
  /** Words of four letters and more of the next calls that stood in the history, each weighing its rarity there. */
  readonly idf: number;
  /** The same of names, paths, addresses and numbers alone, as whole words. */
  readonly names: number;
  /** Pairs of such names on one line of the next calls that had stood on one line before. */
  readonly pairs: number;
  /** The same of two words of one call, not one line: what the agent brought together. */
  readonly wide: number;
  /** Edits to come whose old text is in the text, or whose file is named in it. */
  readonly reach: number;
  /** Bytes that the text saves in compressing what the agent wrote next, as a share of what the whole history saves. */
  readonly gain: number;
  /** Files of the next ten calls that the history named. */
  readonly paths: number;
}

export const measureNames = ['idf', 'names', 'pairs', 'wide', 'reach', 'gain', 'paths'] as const;

/** Judges texts that might stand in the place of one history. */
export type Judge = (text: string) => Measures;

const word = /[A-Za-z_$][\w$]{3,}/g;
/** Names, paths, addresses and numbers; the measure's own definition, apart from the summariser's. */
const literal =
  /https?:\/\/[^\s"'<>)\]]+|(?:[\w.@~-]+\/)+[\w.@-]+|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+|[A-Za-z_$][\w$]+|\d[\d.]+/g;

function isLiteral(text: string): boolean {
  if (text.length < 3) return /^\d\d/.test(text);
  return /[\d_$/.]|[a-z][A-Z]|^[A-Z]{2,}|^[A-Z][a-z]+[A-Z]/.test(text);
}

function wordsOfLine(line: string): Set<string> {
  return new Set(Array.from(line.matchAll(word), ([text]) => text));
}

/** The literals of a line; of joined ones also the parts. */
function literalsOfLine(line: string): Set<string> {
  const found = new Set<string>();
  for (const [whole] of line.matchAll(literal)) {
    for (const text of [whole, ...(/[./]/.test(whole) ? whole.split(/[./]/) : [])]) {
      if (isLiteral(text)) found.add(text.replace(/\.+$/, ''));
    }
  }
  return found;
}

/** Prepares what does not depend on the text that is judged. */
export function createJudge({ history, next }: Boundary): Judge {
  const whole = textOfHistory(history);
  const inputs = next.flatMap(callsOf).map((call) => inputText(call.input));
  const calls = inputs.join('\n');
  const words = wantedOf(calls, whole, wordsOfLine);
  const literals = wantedOf(calls, whole, literalsOfLine);
  const pairs = pairsWanted(linesWith(calls), linesWith(whole));
  const wordsIn = (of: string): Set<string>[] => of.split('\n').map((one) => wordsOfLine(one));
  const wide = pairsWanted(inputs.map(wordsOfLine), wordsIn(whole), 200);
  const edits = editsResting(next, whole);
  const paths = pathsWanted(next, whole);
  const written = writtenTexts(next).join('\n');
  const wholeGain = bytesSaved(whole, written);
  return (text) => {
    const lines = linesWith(text);
    const held = new Set(lines.flatMap((line) => [...line]));
    const index = indexLines(lines);
    const wordIndex = indexLines(wordsIn(text));
    return {
      idf: heldShare(words, (name) => text.includes(name)),
      names: heldShare(literals, (name) => held.has(name)),
      pairs: share(pairs.filter((pair) => standTogether(pair, index)).length, pairs.length),
      wide: share(wide.filter((pair) => standTogether(pair, wordIndex)).length, wide.length),
      reach: share(edits.filter((edit) => isReachable(edit, text)).length, edits.length),
      gain: share(bytesSaved(text, written), wholeGain),
      paths: share(paths.filter((path) => names(text, path)).length, paths.length),
    };
  };
}

/** What the next calls used of the history, with its rarity there: ln(lines ÷ lines with it). */
type Wanted = ReadonlyMap<string, number>;

function wantedOf(calls: string, whole: string, read: (line: string) => Set<string>): Wanted {
  const lines = whole.split('\n');
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const name of read(line)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const wanted = new Map<string, number>();
  for (const name of calls.split('\n').flatMap((line) => [...read(line)])) {
    const count = counts.get(name);
    if (count !== undefined) wanted.set(name, Math.log(lines.length / count));
  }
  return wanted;
}

function heldShare(wanted: Wanted, isHeld: (name: string) => boolean): number {
  let held = 0;
  let all = 0;
  for (const [name, rarity] of wanted) {
    all += rarity;
    if (isHeld(name)) held += rarity;
  }
  return share(held, all);
}

function share(part: number, whole: number): number {
  return whole <= 0 ? Number.NaN : part / whole;
}

function linesWith(text: string): Set<string>[] {
  return text.split('\n').map((line) => literalsOfLine(line));
}

type Pair = readonly [string, string];

/** Which lines hold each literal. */
function indexLines(lines: readonly Set<string>[]): Map<string, Set<number>> {
  const index = new Map<string, Set<number>>();
  lines.forEach((line, number) => {
    for (const name of line) index.set(name, (index.get(name) ?? new Set()).add(number));
  });
  return index;
}

function standTogether([a, b]: Pair, index: ReadonlyMap<string, Set<number>>): boolean {
  const [left, right] = [index.get(a), index.get(b)];
  if (left === undefined || right === undefined) return false;
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  for (const number of few) if (many.has(number)) return true;
  return false;
}

function pairsWanted(
  used: readonly Set<string>[],
  history: readonly Set<string>[],
  maxNames = 30,
): Pair[] {
  const index = indexLines(history);
  const pairs = new Map<string, Pair>();
  for (const line of used) {
    const names = [...line].filter((name) => index.has(name)).slice(0, maxNames);
    names.forEach((a, at) => {
      for (const b of names.slice(at + 1)) {
        // A name and its own part say nothing together.
        if (!a.includes(b) && !b.includes(a)) pairs.set([a, b].sort().join('\0'), [a, b]);
      }
    });
  }
  return [...pairs.values()].filter((pair) => standTogether(pair, index));
}

interface Edit {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Edits whose every old line stood in the history. */
function editsResting(next: readonly Message[], history: string): Edit[] {
  const known = new Set(trimmedLines(history));
  return next.flatMap(callsOf).flatMap(({ name, input }) => {
    const path = pathOfArgs(input);
    const old = oldTextOf(input);
    if (path === undefined || old === undefined) return [];
    if (toolCalls.access(name, input)?.access !== 'edit') return [];
    const lines = trimmedLines(old).filter((line) => line !== '');
    return lines.length > 0 && lines.every((line) => known.has(line)) ? [{ path, lines }] : [];
  });
}

function oldTextOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  for (const key of ['old_string', 'old_str', 'oldText']) {
    const value: unknown = Reflect.get(input, key);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Without the numbers that file viewers put before a line. */
function trimmedLines(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/^\s{0,8}\d{1,7}(?:→|\t)/, '').trim());
}

function isReachable({ path, lines }: Edit, text: string): boolean {
  if (names(text, path)) return true;
  const held = new Set(trimmedLines(text));
  return lines.every((line) => held.has(line));
}

/** Whether a text names a file by at least the last two parts of its path. */
function names(text: string, path: string): boolean {
  return text.includes(path.split('/').slice(-2).join('/'));
}

function pathsWanted(next: readonly Message[], history: string): string[] {
  const calls = next.flatMap(callsOf).slice(0, 10);
  const paths = new Set(calls.flatMap(({ input }) => pathOfArgs(input) ?? []));
  return [...paths].filter((path) => names(history, path));
}

function bytesSaved(context: string, text: string): number {
  return compressed(text) - (compressed(`${context}\n${text}`) - compressed(`${context}\n`));
}

function compressed(text: string): number {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return brotliCompressSync(text, { params }).length;
}
