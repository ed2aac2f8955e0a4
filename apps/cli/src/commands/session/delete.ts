import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { findItemId } from '../../items/find-item.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { deleteAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';

interface DeleteFlags extends ItemFlags {
  readonly yes?: boolean;
}

/** Asks on a terminal before an item is destroyed; throws `CTX_NOT_ALLOWED` after a no. */
async function checkWanted({ host }: CommandContext, id: string): Promise<void> {
  const question = `Destroy item ${id} for good? No checkpoint brings it back.`;
  if ((await host.confirm(question)) !== false) return;
  throw new CtxError('CTX_NOT_ALLOWED', 'nothing was destroyed');
}

async function runDelete(context: CommandContext, name: string, flags: DeleteFlags): Promise<void> {
  const { agent } = flags;
  const use = { eraseOnClose: true };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const id = await findItemId(store, agent, name);
    if (flags.yes !== true) await checkWanted(context, id);
    await store.items.delete(agent, id);
    // Destroyed is destroyed: no checkpoint brings it back.
    await store.checkpoints.purge(agent, id);
    if (flags.json === true) {
      return context.json(deleteAnswerSchema, { store: url.text, agent, id });
    }
    await context.say(`Item ${id} of ${agent} is destroyed.`);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'delete',
    summary: 'Destroy an item of an agent. To keep it out of the way, use `ctx items archive`.',
    examples: ['ctx items delete <id>', 'ctx items delete <id> --agent ada'],
  })
    .argument('<id>', 'id of an item, or its first characters')
    .option('--yes', 'do not ask');
  return withStoreFlag(withAgentFlag(command)).action((name: string, flags: DeleteFlags) =>
    runDelete(context, name, flags),
  );
}
