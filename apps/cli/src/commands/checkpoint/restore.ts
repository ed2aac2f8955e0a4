import { countedText, countText, timeText } from '@ctx/core/encoding';
import { entryOf } from '@ctx/server/records';
import type { CheckpointSummary } from '@ctx/store';
import { restoreCheckpoint } from '@ctx/truncation';
import type { Command } from 'commander';
import { type CommandContext, checkWanted } from '../../command-context.ts';
import { findCheckpoint } from '../../items/find-checkpoint.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { showGone } from '../../items/show-gone.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type RestoreAnswer, restoreAnswerSchema } from '../../schemas/checkpoint.ts';
import { withStore } from '../../store/open-store-url.ts';

interface RestoreFlags extends ItemFlags {
  readonly yes?: boolean;
}

function questionOf({ agentId, sessionId, createdAt }: CheckpointSummary): string {
  const what = sessionId === undefined ? agentId : `${agentId} and session ${sessionId}`;
  return `Bring ${what} back to ${timeText(createdAt)}? What came since is archived.`;
}

function answerOf({
  receipt,
  windowTo,
}: Awaited<ReturnType<typeof restoreCheckpoint>>): Omit<RestoreAnswer, 'store'> {
  const restored = entryOf.restored(receipt);
  return {
    outcome: restored.undo === undefined ? 'unchanged' : 'restored',
    ...restored,
    ...(windowTo === undefined ? {} : { windowTo }),
  };
}

async function show(context: CommandContext, answer: RestoreAnswer): Promise<void> {
  const { undo, items, session, windowTo } = answer;
  if (undo === undefined) {
    const isAll = items.missing.length + items.purged === 0;
    const what = isAll ? 'everything' : 'everything that is left';
    await context.say(`Unchanged: ${what} is as it was then.`);
    return showGone(context, items);
  }
  const parts = [
    `${countedText(items.restored, 'item')} restored, ${countText(items.contents)} with content`,
    `${countText(items.unchanged)} unchanged`,
    `${countText(items.archived)} archived`,
    ...(session === 'restored' ? ['document restored'] : []),
    ...(windowTo === undefined ? [] : [`window back at event ${String(windowTo)}`]),
  ];
  await context.say(`Restored: ${parts.join(', ')}.`);
  await showGone(context, items);
  await context.say(`Take it back with: ctx checkpoints restore ${undo}`);
}

async function runRestore(
  context: CommandContext,
  name: string,
  flags: RestoreFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const found = await findCheckpoint(store, flags.agent, name);
    if (flags.yes !== true) await checkWanted(context, questionOf(found), 'nothing was restored');
    const restored = await restoreCheckpoint(store, found.id);
    await restored.window?.close();
    const answer = { store: url.text, ...answerOf(restored) };
    if (flags.json === true) return context.json(restoreAnswerSchema, answer);
    await show(context, answer);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'restore',
    summary: 'Restore an agent and its session to a checkpoint. The restore can be undone.',
    examples: [
      'ctx checkpoints restore <checkpoint>',
      'ctx checkpoints restore <label> --agent ada --yes',
    ],
  })
    .argument('<checkpoint>', 'id of a checkpoint, its first characters, or its label')
    .option('--yes', 'do not ask');
  return withStoreFlag(withAgentFlag(command)).action((name: string, flags: RestoreFlags) =>
    runRestore(context, name, flags),
  );
}
