import type { TokenCounter } from '@ctx/core';

/** Lines under a heading. */
export interface NoteSection {
  readonly heading: string;
  /** The part of the budget that it may take, 0 to 1. Default 1. */
  readonly share?: number;
  readonly lines: readonly string[];
}

/** What may be told. */
export interface NoteBudget {
  /** Of the whole text, tokens. */
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
}

const missingLine = (count: number): string => `- … and ${String(count)} more`;

/** How many lines fit, with what is said of the others, and what they take. */
function fittingLines(
  lines: readonly string[],
  room: number,
  countTokens: TokenCounter,
): { readonly shown: readonly string[]; readonly tokens: number } {
  const rest = countTokens(missingLine(lines.length)) + 1;
  const shown: string[] = [];
  let tokens = 0;
  for (const [index, line] of lines.entries()) {
    const cost = countTokens(line) + 1;
    const needed = index === lines.length - 1 ? 0 : rest;
    if (tokens + cost + needed > room) break;
    shown.push(line);
    tokens += cost;
  }
  if (shown.length === lines.length || shown.length === 0) return { shown, tokens };
  return { shown: [...shown, missingLine(lines.length - shown.length)], tokens: tokens + rest };
}

/**
 * Writes sections one after the other, the first ones first, until the budget is used up; empty where no line has room.
 * Pure; within the budget.
 */
export function writeNotes(
  opening: string,
  sections: readonly NoteSection[],
  { maxTokens, countTokens }: NoteBudget,
): string {
  const parts: string[] = [];
  let left = maxTokens - countTokens(opening) - 1;
  for (const { heading, lines, share = 1 } of sections) {
    const head = countTokens(heading) + 1;
    const room = Math.min(left, Math.floor(share * maxTokens)) - head;
    const { shown, tokens } = fittingLines(lines, room, countTokens);
    if (shown.length === 0) continue;
    parts.push(heading, ...shown);
    left -= head + tokens;
  }
  return parts.length === 0 ? '' : [opening, ...parts].join('\n');
}
