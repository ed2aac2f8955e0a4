import { cutWords } from '../lines/cut-words.ts';
import { goalLabels } from '../lines/gather-lines.ts';
import type { LineDraft } from './draft.ts';

/** What each request gets at least, tokens: a goal that is cut short is a goal, and none misleads whoever goes on from it. */
const leastRequestTokens = 60;

/** Stands where a request goes on. */
const goesOn = '…';

/** Takes the lines of one request in their order up to the first that is too long, which is shortened: a line without the one before it misleads. */
function takeRequest(draft: LineDraft, lines: readonly string[], room: number): readonly string[] {
  const end = draft.spent() + Math.max(room, leastRequestTokens);
  const taken: string[] = [];
  for (const line of lines) {
    const left = end - draft.spent();
    const [whole] = draft.take([line], left);
    if (whole !== undefined) taken.push(whole);
    else if (!draft.has(line) && line.trim() !== '') {
      const cut = draft.take([cutWords(line, 2 * leastRequestTokens)], left);
      return [...taken, ...(cut.length === 0 && taken.length > 0 ? [goesOn] : cut)];
    }
  }
  return taken;
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
