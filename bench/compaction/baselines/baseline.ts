import type { Message, TokenCounter } from '@ctx/core';

/** A way to shorten a conversation that ctx is compared with. */
export interface Baseline {
  readonly name: string;
  /** Gives a text of at most `maxTokens`. */
  readonly shorten: (history: readonly Message[], options: BaselineOptions) => string;
}

export interface BaselineOptions {
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
}

/** Lines from the front while they fit. */
export function linesThatFit(lines: readonly string[], options: BaselineOptions): string[] {
  let room = options.maxTokens;
  const taken: string[] = [];
  for (const line of lines) {
    const tokens = options.countTokens(line) + 1;
    if (tokens > room) {
      if (room < 20) break;
      continue;
    }
    room -= tokens;
    taken.push(line);
  }
  return taken;
}

/** The beginning of a text that fits, as exact as 2 %. */
export function headThatFits(text: string, options: BaselineOptions): string {
  return fit(text, options, (length) => text.slice(0, length));
}

/** The end of a text that fits. */
export function tailThatFits(text: string, options: BaselineOptions): string {
  return fit(text, options, (length) => text.slice(text.length - length));
}

function fit(
  text: string,
  { maxTokens, countTokens }: BaselineOptions,
  part: (length: number) => string,
): string {
  let length = Math.min(text.length, maxTokens * 6);
  for (let tokens = countTokens(part(length)); tokens > maxTokens && length > 0; ) {
    length = Math.floor(Math.min(length * 0.98, (length * maxTokens) / tokens));
    tokens = countTokens(part(length));
  }
  return part(length);
}
