import { cutText, type TokenCounter } from '@ctx/core';
import type { ChosenParts } from './compose-summary.ts';

interface FitOptions {
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
  readonly mark: string;
  readonly compose: (parts: ChosenParts, mark: string) => string;
}

/** The parts that shrink, the least valuable first. */
const shrinking: readonly Exclude<keyof ChosenParts, 'root'>[] = [
  'literals',
  'covering',
  'quotedFacts',
  'edits',
  'userSaid',
  'userWords',
  'facts',
  'decisions',
  'commands',
  'files',
  'errors',
  'edited',
  'plan',
  'next',
  'tasks',
  'refusals',
  'task',
];

/** Text that was fitted. */
export interface FittedText {
  readonly text: string;
  /** What it takes, counted with {@link sizingMark}. */
  readonly tokens: number;
}

/**
 * Stands for the mark while lines are chosen. Marks are random, and a tokenizer cuts each its own way: counted with the real one, equal
 * conversations would keep other lines each time. Longer than any mark, so that hardly one takes more tokens.
 */
export const sizingMark = 'k3J9xQa81zLmV7tP2w';

/**
 * Writes the parts and, where lines joined cost more than the lines alone, drops the last ones until the text fits.
 * At most `maxTokens` by the counter, whatever the counter; drops something in each round, so it ends.
 */
export function fitParts(parts: ChosenParts, options: FitOptions): FittedText {
  const { maxTokens, countTokens, mark, compose } = options;
  let current = parts;
  for (;;) {
    const tokens = countTokens(compose(current, sizingMark));
    const text = tokens <= maxTokens ? compose(current, mark) : undefined;
    // Where the real mark takes more than the one for sizing, a line more has to go.
    const size = text === undefined ? tokens : countTokens(text);
    if (text !== undefined && size <= maxTokens) return { text, tokens };
    const smaller = shrink(current, size - maxTokens);
    if (smaller === undefined) return cutToFit(compose(current, mark), size, options);
    current = smaller;
  }
}

/** Drops about `excessTokens` of the first part that has any lines; undefined where nothing is left. */
function shrink(parts: ChosenParts, excessTokens: number): ChosenParts | undefined {
  const part = shrinking.find((name) => parts[name].length > 0);
  if (part === undefined) return undefined;
  const perLine = part === 'literals' ? 4 : 30;
  const drop = Math.min(parts[part].length, Math.ceil(excessTokens / perLine));
  return { ...parts, [part]: parts[part].slice(0, parts[part].length - drop) };
}

/** Titles alone do not fit: as much of them as does. */
function cutToFit(
  text: string,
  tokens: number,
  { maxTokens, countTokens }: FitOptions,
): FittedText {
  let cut = text;
  let size = tokens;
  while (size > maxTokens && cut !== '') {
    const share = Math.min(0.9, Math.max(0, maxTokens) / size);
    cut = cutText(cut, { maxCharacters: Math.floor(cut.length * share) });
    size = cut === '' ? 0 : countTokens(cut);
  }
  return { text: cut, tokens: size };
}
