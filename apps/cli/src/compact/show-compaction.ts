import { type CommandContext, writeErr, writeOut, writeRendered } from '../command-context.ts';
import { countedText, countText, timeText } from '../terminal/render.ts';
import { renderTable } from '../terminal/render-table.ts';
import { type Answered, changesText, nothingText, paysText, takenInText } from './compact-texts.ts';

const columns = [
  { title: '#', align: 'right' },
  { title: 'when' },
  { title: 'why' },
  { title: 'summary by' },
  { title: 'tokens', align: 'right' },
  { title: 'state' },
] as const;

async function showList(context: CommandContext, { compactions = [] }: Answered): Promise<void> {
  if (compactions.length === 0) return writeErr(context, 'No compactions.');
  const rows = compactions.map((one) => [
    String(one.sequence),
    timeText(Date.parse(one.at)),
    one.trigger,
    one.strategy,
    `${countText(one.tokensBefore)} → ${countText(one.tokensAfter)}`,
    one.state,
  ]);
  await writeRendered(context, renderTable(context, columns, rows));
}

async function showChange(context: CommandContext, given: Answered): Promise<void> {
  const { outcome, compaction, summary = '', fits = true } = given;
  const title = outcome === 'planned' ? 'Would be' : 'Done';
  await writeErr(context, `${title}: ${changesText(given)}`);
  if (!fits) await writeErr(context, 'It is still over its tokens: what is left cannot be cut.');
  if (outcome === 'planned') await writeErr(context, paysText(given));
  if (compaction === undefined) return;
  const { tokensBefore, tokensAfter, strategy } = compaction;
  const tokens = `${countText(tokensBefore)} → ${countText(tokensAfter)} tokens`;
  await writeErr(context, `${tokens}, summary by ${strategy}. Take it back with --undo.`);
  await writeOut(context, `${summary}\n`);
}

/** Says what was done, would be done, or is there. */
export async function showCompaction(
  context: CommandContext,
  given: Answered,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<void> {
  const { outcome, entries, takenIn } = given;
  if (takenIn !== undefined) await writeErr(context, takenInText(takenIn, dryRun));
  if (outcome === 'listed') return showList(context, given);
  if (outcome === 'nothing') return writeErr(context, nothingText(given));
  if (outcome !== 'undone') return showChange(context, given);
  if (entries === undefined)
    return writeErr(context, 'Undone: the view of the window is as before.');
  const restored = countedText(entries, 'entry', 'entries');
  return writeErr(context, `Undone: ${restored} back in the history.`);
}
