import { gapLine } from '../../insert/offload-text.ts';
import { type IsWorkWord, wordsIn } from './work-words.ts';

/** A line speaks for so many lines before and after it, the less the further away they are. */
const reach = 6;

/** What is asked of a text. */
export interface TellingLinesOptions {
  readonly isWorkWord: IsWorkWord;
  /** Part of the text's characters that may be shown, 0…1. */
  readonly share: number;
}

/** How much each line has to say of the work: a word counts the more, the rarer it is in the text. */
function ownScores(lines: readonly string[], isWorkWord: IsWorkWord): number[] {
  const found = lines.map((line) => [...new Set(wordsIn(line))].filter(isWorkWord));
  const counts = new Map<string, number>();
  for (const word of found.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return found.map((words) => words.reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0));
}

/** The same with what the lines around it say. */
function scoresOf(own: readonly number[]): number[] {
  return own.map((_, index) => {
    let score = 0;
    for (let far = -reach; far <= reach; far += 1) {
      score += (own[index + far] ?? 0) / (1 + Math.abs(far));
    }
    return score;
  });
}

function chooseLines(
  lines: readonly string[],
  scores: readonly number[],
  room: number,
): Set<number> {
  const order = [...scores.keys()].filter((index) => (scores[index] ?? 0) > 0);
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen = new Set<number>();
  let left = room;
  for (const index of order) {
    left -= (lines[index]?.length ?? 0) + 1;
    if (left < 0) break;
    chosen.add(index);
  }
  return chosen;
}

/**
 * The lines of a text that tell most about the work, in order, with a count where lines are left out; `undefined` where none
 * tells anything.
 * Pure; the lines shown have at most `share` of the characters. Takes linear time, and sorts the lines.
 */
export function tellingLines(text: string, options: TellingLinesOptions): string | undefined {
  const lines = text.split('\n');
  const scores = scoresOf(ownScores(lines, options.isWorkWord));
  const chosen = chooseLines(lines, scores, options.share * text.length);
  if (chosen.size === 0) return undefined;
  const shown: string[] = [];
  let next = 0;
  for (const [index, line] of lines.entries()) {
    if (!chosen.has(index)) continue;
    if (index > next) shown.push(gapLine(index - next));
    shown.push(line);
    next = index + 1;
  }
  if (lines.length > next) shown.push(gapLine(lines.length - next));
  return shown.join('\n');
}
