import { cutWords } from '../lines/cut-words.ts';
import { goalLabels } from '../lines/gather-lines.ts';
import type { LineDraft } from './draft.ts';

/** What each request gets at least, tokens: a goal that is cut short is a goal, and none misleads whoever goes on from it. */
const leastRequestTokens = 60;

/** Takes the lines of one request, its first line shortened where even that is too long. */
function takeRequest(draft: LineDraft, lines: readonly string[], room: number): readonly string[] {
  const budgetTokens = Math.max(room, leastRequestTokens);
  const taken = draft.take(lines, budgetTokens);
  const [first] = lines;
  if (first === undefined || taken[0] === first) return taken;
  const cut = cutWords(first, 2 * leastRequestTokens);
  return [...draft.take([cut], budgetTokens), ...taken];
}

/** Takes the requests of a goal: of the first two or three each gets its share, the last what is left. */
export function takeRequests(
  draft: LineDraft,
  lines: readonly string[],
  budgetTokens: number,
): readonly string[] {
  const starts = lines.flatMap((line, at) => (at === 0 || beginsRequest(line) ? [at] : []));
  const start = draft.spent();
  return starts.flatMap((from, place) => {
    const rest = budgetTokens - (draft.spent() - start);
    return takeRequest(draft, lines.slice(from, starts[place + 1]), rest / (starts.length - place));
  });
}

function beginsRequest(line: string): boolean {
  return line.startsWith(goalLabels.task) || line.startsWith(goalLabels.newest);
}
