import { countedText, countText } from '@ctx/core/encoding';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import type { CommandContext } from '../command-context.ts';
import type { PurgeAnswer } from '../schemas/store.ts';

const columns = [{ title: 'what' }, { title: 'records', align: 'right' }] as const;

/** The records that a plan destroys, by collection. */
export async function showPlan(context: CommandContext, answer: PurgeAnswer): Promise<void> {
  const rows = Object.entries(answer.records).map(([name, records]) => [
    name.replaceAll('_', ' '),
    countText(records),
  ]);
  if (rows.length === 0) return context.say('There is nothing to destroy.');
  await context.table(columns, rows);
  const { sessions } = answer;
  const named = sessions.slice(0, 5).join(', ');
  const more = sessions.length > 5 ? `, and ${countText(sessions.length - 5)} more` : '';
  if (sessions.length > 0)
    await context.say(`${countedText(sessions.length, 'session')}: ${named}${more}`);
}

/** What is asked before a purge. */
export function purgeQuestion({ records, tenant, store }: PurgeAnswer): string {
  const all = Object.values(records).reduce((sum, many) => sum + many, 0);
  return `Destroy ${countedText(all, 'record')} of ${tenant} in ${store} for good?`;
}

const whatIsLeft = {
  file: 'Another process has the file open: its log still holds deleted bytes. Run `ctx purge --residue` when it has ended.',
  server:
    'Tables of the server hold deleted bytes until `ctx purge --residue` rewrites them, which needs exclusive access. Its log, replicas and backups keep theirs: they are its operator’s.',
} as const;

/** What became of a purge, and what is left to do. */
export async function showReceipt(
  context: CommandContext,
  answer: PurgeAnswer,
  { scheme }: StoreUrl,
): Promise<void> {
  const { outcome, traceless, forks, quarantineFiles } = answer;
  if (outcome === 'planned') return context.say('Nothing was destroyed: this was a dry run.');
  if (outcome !== 'purged') return;
  const files =
    quarantineFiles === 0 ? '' : ` ${countedText(quarantineFiles, 'quarantined file')} went, too.`;
  await context.print(`Destroyed, in the search index, checkpoints and backups as well.${files}\n`);
  if (traceless === false) {
    await context.say(scheme === 'postgres' ? whatIsLeft.server : whatIsLeft.file);
  }
  if (forks.length > 0) {
    await context.say(`Forks hold copies of what was said: ${forks.join(', ')}. Purge them, too.`);
  }
}
