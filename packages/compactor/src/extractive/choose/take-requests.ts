import { cutText } from '@ctx/core';
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
  const cut = cutText(first, { maxCharacters: 2 * leastRequestTokens });
  return [...draft.take([cut], budgetTokens), ...taken];
}

/** Takes the first request and the newest one; half of the room is kept for the newest. */
export function takeRequests(
  draft: LineDraft,
  lines: readonly string[],
  budgetTokens: number,
): readonly string[] {
  const at = lines.findIndex((line) => line.startsWith(goalLabels.newest));
  if (at <= 0) return takeRequest(draft, lines, budgetTokens);
  const start = draft.spent();
  const first = takeRequest(draft, lines.slice(0, at), budgetTokens / 2);
  const rest = budgetTokens - (draft.spent() - start);
  return [...first, ...takeRequest(draft, lines.slice(at), rest)];
}
