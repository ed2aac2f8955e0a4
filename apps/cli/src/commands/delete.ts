import type { Command } from 'commander';
import { type CommandContext, writeErr, writeJson } from '../command-context.ts';
import { findItemId } from '../items/find-item.ts';
import { type ItemFlags, withAgentFlag } from '../items/item-flags.ts';
import { makeCommand, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { deleteAnswerSchema } from '../schemas/items.ts';

async function runDelete(context: CommandContext, name: string, flags: ItemFlags): Promise<void> {
  const { agent } = flags;
  const use = { eraseOnClose: true };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const id = await findItemId(store, agent, name);
    await store.items.delete(agent, id);
    // Destroyed is destroyed: no checkpoint brings it back.
    await store.checkpoints.purge(agent, id);
    if (flags.json === true) {
      return writeJson(context, deleteAnswerSchema, { store: url.text, agent, id });
    }
    await writeErr(context, `Item ${id} of ${agent} is destroyed.`);
  });
}

/** `ctx delete` */
export function deleteCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'delete',
    summary: 'Destroy an item of an agent. To keep it out of the way, use `ctx archive`.',
    examples: ['ctx delete <id>', 'ctx delete <id> --agent ada'],
  }).argument('<id>', 'id of an item, or how it begins');
  return withStoreFlag(withAgentFlag(command)).action((name: string, flags: ItemFlags) =>
    runDelete(context, name, flags),
  );
}
