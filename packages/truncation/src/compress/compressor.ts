import type { Limits } from './choose-lines.ts';
import { hasWord } from './line-forms.ts';

/** What a text turned out to be. */
export type CompressKind =
  | 'JSON rows'
  | 'JSON'
  | 'diff'
  | 'test report'
  | 'list of matches'
  | 'list of paths'
  | 'table'
  | 'log'
  | 'like lines'
  | 'terminal output'
  | 'text with long lines';

/** A text as the compressors look at it. */
export interface CompressInput {
  readonly text: string;
  /** Its lines as a terminal would show them in the end; a line break at the end begins no further one. */
  readonly lines: readonly string[];
  /** Tells whether the work is about a word; lines that hold one are shown first. Absent if that is unknown. */
  readonly isWorkWord?: (word: string) => boolean;
  readonly limits: Limits;
}

/** What is shown of a text. */
export interface CompressDraft {
  readonly body: string;
  /** What is not shown, in words; empty if nothing that a reader could miss. */
  readonly left: readonly string[];
}

/** One way to shorten one kind of text: pure, linear, tells by the content alone whether it applies. */
export interface Compressor {
  readonly kind: CompressKind;
  readonly matches: (input: CompressInput) => boolean;
  /** Returns `undefined` if there is nothing to leave out. */
  readonly compress: (input: CompressInput) => CompressDraft | undefined;
}

/** Longest start of a line that decides what the line is, characters: keeps every pattern linear. */
const decidingCharacters = 400;

/** The part of a line that decides what it is. */
export function startOf(line: string): string {
  return line.length <= decidingCharacters ? line : line.slice(0, decidingCharacters);
}

/** Most lines that are looked at to tell what a text is. */
const sampledLines = 600;

/** Every `step`th line, from the first on. */
export function sampleOf(lines: readonly string[], step: number): readonly string[] {
  if (step <= 1) return lines;
  const count = Math.ceil(lines.length / step);
  return Array.from({ length: count }, (_, index) => lines[index * step] ?? '');
}

/** Lists repeat every few lines: a step that shares a divisor with that number would see the same of each. */
const commonDivisors = [2, 3, 5, 7];

function freeStep(step: number): number {
  return step > 1 && commonDivisors.some((one) => step % one === 0) ? freeStep(step + 1) : step;
}

/** The share of lines, blank ones aside, that pass a test; samples a long text evenly. */
export function shareOf(lines: readonly string[], test: (line: string) => boolean): number {
  const step = freeStep(Math.max(1, Math.floor(lines.length / sampledLines)));
  let seen = 0;
  let passed = 0;
  for (const whole of sampleOf(lines, step)) {
    const line = startOf(whole);
    if (line.trim() === '') continue;
    seen += 1;
    if (test(line)) passed += 1;
  }
  return seen === 0 ? 0 : passed / seen;
}

/** The lines that hold a word of the work; none if nearly all do, because then the word tells nothing. */
export function findWorkLines(
  lines: readonly string[],
  isWorkWord: CompressInput['isWorkWord'],
): number[] {
  if (isWorkWord === undefined) return [];
  const found = lines.flatMap((line, index) => (hasWord(startOf(line), isWorkWord) ? [index] : []));
  return found.length * 2 <= lines.length ? found : [];
}
