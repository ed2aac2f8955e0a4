import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { type CommandContext, writeErr, writeOut, writeRendered } from '../command-context.ts';
import type { PurgeAnswer } from '../schemas/store/purge.ts';
import { countedText, countText } from '../terminal/render.ts';
import { renderTable } from '../terminal/render-table.ts';

const columns = [{ title: 'what' }, { title: 'records', align: 'right' }] as const;

/** The records that a plan destroys, by collection. */
export async function showPlan(context: CommandContext, answer: PurgeAnswer): Promise<void> {
  const rows = Object.entries(answer.records).map(([name, records]) => [
    name.replaceAll('_', ' '),
    countText(records),
  ]);
  if (rows.length === 0) return writeErr(context, 'There is nothing to destroy.');
  await writeRendered(context, renderTable(context, columns, rows));
  const { sessions } = answer;
  const named = sessions.slice(0, 5).join(', ');
  const more = sessions.length > 5 ? `, and ${countText(sessions.length - 5)} more` : '';
  if (sessions.length > 0)
    await writeErr(context, `${countedText(sessions.length, 'session')}: ${named}${more}`);
}

/** Asks whether to go on. Throws: `CTX_NOT_ALLOWED` without a yes. */
export async function checkWanted({ host }: CommandContext, answer: PurgeAnswer): Promise<void> {
  const records = Object.values(answer.records).reduce((sum, many) => sum + many, 0);
  const question = `Destroy ${countedText(records, 'record')} of ${answer.tenant} in ${answer.store} for good?`;
  if ((await host.confirm(question)) === true) return;
  throw new CtxError('CTX_NOT_ALLOWED', 'nothing was destroyed; --yes answers the question');
}

const whatIsLeft = {
  file: 'Another process has the file open: its log still holds deleted bytes. Run `ctx purge --residue` when it has ended.',
  server:
    'Tables of the server hold deleted bytes until `ctx purge --residue` writes them anew, for which nobody else may use them. Its log, replicas and backups keep theirs: they are its operator’s.',
} as const;

/** What became of a purge, and what is left to do. */
export async function showReceipt(
  context: CommandContext,
  answer: PurgeAnswer,
  { scheme }: StoreUrl,
): Promise<void> {
  const { outcome, traceless, forks, quarantineFiles } = answer;
  if (outcome === 'planned') return writeErr(context, 'Nothing was destroyed: this was a dry run.');
  if (outcome !== 'purged') return;
  const files =
    quarantineFiles === 0 ? '' : ` ${countedText(quarantineFiles, 'quarantined file')} went, too.`;
  await writeOut(
    context,
    `Destroyed, in the search index, checkpoints and backups as well.${files}\n`,
  );
  if (traceless === false) {
    await writeErr(context, scheme === 'postgres' ? whatIsLeft.server : whatIsLeft.file);
  }
  if (forks.length > 0) {
    await writeErr(
      context,
      `Forks hold copies of what was said: ${forks.join(', ')}. Purge them, too.`,
    );
  }
}
