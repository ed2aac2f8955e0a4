import type { CompactAnswer } from '../schemas/window/compact.ts';
import { countedText, countText } from '../terminal/render.ts';

/** What a compaction is answered with, but for where. */
export type Answered = Omit<CompactAnswer, 'store' | 'session'>;

/** What changes, or has changed, in one line. */
export function changesText({ entries = 0, keeps = 0, offloaded = 0, ...more }: Answered): string {
  const { factsDropped = 0, tasksPruned = 0 } = more;
  const parts = [
    `${countedText(entries, 'entry', 'entries')} summarised, ${countText(keeps)} kept`,
    `${countText(offloaded)} offloaded`,
    `${countedText(factsDropped, 'fact')} merged`,
    `${countedText(tasksPruned, 'task')} pruned`,
  ];
  return parts.join(', ');
}

/** Whether it is worth it, in one line. */
export function paysText({ tokensBefore = 0, tokensAfter = 0, ...given }: Answered): string {
  const sizes = `${countText(tokensBefore)} → at most ${countText(tokensAfter)} tokens`;
  const { breakEvenRequests: requests, price = '' } = given;
  if (requests === undefined) return `${sizes}. It may never pay: the summary may be as long.`;
  return `${sizes}. At the prices of ${price} it has paid after at most ${countedText(requests, 'request')}.`;
}

/** What of the log stands in the document, or would, whether anything was compacted then or not. */
export function takenInText(takenIn: number, isDryRun: boolean): string {
  const verb = takenIn === 1 ? 'is' : 'are';
  const messages = countedText(takenIn, 'message');
  return `${messages} of the log ${isDryRun ? 'would be' : verb} in the history of the document.`;
}

/** Why nothing was done. */
export function nothingText({
  reason,
  tokensBefore = 0,
  tokensAfter = 0,
  logTokens,
}: Answered): string {
  if (logTokens !== undefined) {
    const log = `the log holds ${countedText(logTokens, 'token')}`;
    return `Nothing to compact: the document has no history, but ${log}; --from-log takes them in first.`;
  }
  if (reason !== 'no-shorter') {
    return 'Nothing to compact: the history of the document is short enough.';
  }
  const sizes = `${countText(tokensBefore)} → ${countText(tokensAfter)} tokens`;
  return `Not done, it would not pay: with a summary the document would be no shorter (${sizes}).`;
}
