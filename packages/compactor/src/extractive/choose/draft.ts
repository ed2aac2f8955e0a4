import type { TokenCounter } from '@ctx/core';
import type { Coverage } from './coverage.ts';

/** The room of one summary, and what stands in it already. */
export interface LineDraft {
  /** Takes those lines that are new and fit into both the part's budget and the summary's; gives them back in order. */
  readonly take: (lines: readonly string[], budgetTokens: number) => string[];
  /** Sets tokens aside for what is not a line: titles, marks. */
  readonly reserve: (tokens: number) => void;
  readonly has: (line: string) => boolean;
  readonly spent: () => number;
  /** Tokens that are left. */
  readonly room: () => number;
}

/** When less is left in a part, its remaining lines are not tried. */
const leastRoom = 8;

/** What is taken never costs more than `maxTokens`, line ends included. */
export function createDraft(
  maxTokens: number,
  countTokens: TokenCounter,
  coverage: Coverage,
): LineDraft {
  const lines = new Set<string>();
  let spent = 0;
  return {
    take: (candidates, budgetTokens) => {
      const taken: string[] = [];
      let room = Math.min(budgetTokens, maxTokens - spent);
      for (const line of candidates) {
        if (room < leastRoom) break;
        if (line.trim() === '' || lines.has(line)) continue;
        const tokens = countTokens(line) + 1; // The line end.
        if (tokens > room) continue;
        room -= tokens;
        spent += tokens;
        lines.add(line);
        taken.push(line);
        coverage.cover(line);
      }
      return taken;
    },
    reserve: (tokens) => {
      spent += tokens;
    },
    has: (line) => lines.has(line),
    spent: () => spent,
    room: () => Math.max(0, maxTokens - spent),
  };
}
