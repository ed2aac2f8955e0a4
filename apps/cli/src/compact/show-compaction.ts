import { countedText, countText, timeText } from '@ctx/core/encoding';
import type { CommandContext } from '../command-context.ts';
import type { CompactAnswer } from '../schemas/window.ts';

/** What a compaction is answered with, but for where. */
export type Answered = Omit<CompactAnswer, 'store' | 'session'>;

/** What changes, or has changed, in one line. */
function changesText({ entries = 0, keeps = 0, offloaded = 0, ...more }: Answered): string {
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
function paysText({ tokensBefore = 0, tokensAfter = 0, ...given }: Answered): string {
  const sizes = `${countText(tokensBefore)} → at most ${countText(tokensAfter)} tokens`;
  const { breakEvenRequests: requests, price = '' } = given;
  if (requests === undefined) return `${sizes}. It may never pay: the summary may be as long.`;
  return `${sizes}. At the prices of ${price} it has paid after at most ${countedText(requests, 'request')}.`;
}

/** Says how many messages of the log are in the document, or would be after a dry run. */
function takenInText(copied: number, isDryRun: boolean): string {
  const verb = copied === 1 ? 'is' : 'are';
  const messages = countedText(copied, 'message');
  return `${messages} of the log ${isDryRun ? 'would be' : verb} in the history of the document.`;
}

/** Why nothing was done. */
function nothingText({ reason, tokensBefore = 0, tokensAfter = 0, logTokens }: Answered): string {
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

const columns = [
  { title: '#', align: 'right' },
  { title: 'when' },
  { title: 'why' },
  { title: 'summary by' },
  { title: 'tokens', align: 'right' },
  { title: 'state' },
] as const;

async function showList(context: CommandContext, { compactions = [] }: Answered): Promise<void> {
  if (compactions.length === 0) return context.say('No compactions.');
  const rows = compactions.map((one) => [
    String(one.sequence),
    timeText(Date.parse(one.at)),
    one.trigger,
    one.strategy,
    `${countText(one.tokensBefore)} → ${countText(one.tokensAfter)}`,
    one.state,
  ]);
  await context.table(columns, rows);
}

async function showChange(context: CommandContext, given: Answered): Promise<void> {
  const { outcome, compaction, summary = '', fits = true } = given;
  const title = outcome === 'planned' ? 'Would be' : 'Done';
  await context.say(`${title}: ${changesText(given)}`);
  if (!fits) await context.say('It is still over its tokens: what is left cannot be cut.');
  if (outcome === 'planned') await context.say(paysText(given));
  if (compaction === undefined) return;
  const { tokensBefore, tokensAfter, strategy } = compaction;
  const tokens = `${countText(tokensBefore)} → ${countText(tokensAfter)} tokens`;
  await context.say(`${tokens}, summary by ${strategy}. Take it back with --undo.`);
  await context.print(`${summary}\n`);
}

/** Says what was done, would be done, or is there. */
export async function showCompaction(
  context: CommandContext,
  given: Answered,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<void> {
  const { outcome, entries, copied } = given;
  if (copied !== undefined) await context.say(takenInText(copied, dryRun));
  if (outcome === 'listed') return showList(context, given);
  if (outcome === 'nothing') return context.say(nothingText(given));
  if (outcome !== 'undone') return showChange(context, given);
  if (entries === undefined) return context.say('Undone: the view of the window is as before.');
  const restored = countedText(entries, 'entry', 'entries');
  return context.say(`Undone: ${restored} back in the history.`);
}
