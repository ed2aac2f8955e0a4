import type { ItemAction, ItemChange } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { findItemId } from '../../items/find-item.ts';
import { explainedEntry, type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { itemChangeAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';

/** What the commands say of themselves, and of an item that was so already. */
const texts: Readonly<Record<ItemAction, { readonly summary: string; readonly done: string }>> = {
  pin: {
    summary: 'Pin an item: it ranks before all others and stays hot.',
    done: 'pinned',
  },
  unpin: { summary: 'Unpin an item: from now on it fades like any other.', done: 'not pinned' },
  archive: {
    summary: 'Move an item out of the tiers. It is kept, and `ctx items unarchive` brings it back.',
    done: 'archived',
  },
  unarchive: { summary: 'Bring an archived item back into the tiers.', done: 'not archived' },
  finish: {
    summary: 'Mark an item as finished: it stays cold, however often it is read.',
    done: 'finished',
  },
  reopen: { summary: 'Mark a finished item as open again.', done: 'not finished' },
  touch: { summary: 'Count a read of an item, which raises its importance.', done: 'touched' },
};

async function show(
  context: CommandContext,
  { item, tier, tierBefore, changed }: ItemChange,
  done: string,
): Promise<void> {
  const was = changed ? '' : ' already';
  const move = tier === tierBefore ? tier : `${tierBefore} → ${tier}`;
  await context.say(`${item.kind} ${item.id} is ${done}${was}: ${move}.`);
}

async function runChange(
  context: CommandContext,
  { action, name }: { readonly action: ItemAction; readonly name: string },
  flags: ItemFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const id = await findItemId(store, flags.agent, name);
    const change = await store.items[action](flags.agent, id);
    if (flags.json !== true) return show(context, change, texts[action].done);
    const { changed, tierBefore } = change;
    const item = explainedEntry(store, change.item);
    await context.json(itemChangeAnswerSchema, {
      store: url.text,
      changed,
      item,
      tierBefore,
    });
  });
}

/** `ctx items pin`, `ctx items unpin`, `ctx items archive` and the others that change one item. */
export function changeItemCommand(action: ItemAction): (context: CommandContext) => Command {
  return (context) => {
    const command = makeCommand({
      name: action,
      summary: texts[action].summary,
      examples: [`ctx items ${action} <id>`, `ctx items ${action} <id> --agent ada --json`],
    }).argument('<id>', 'id of an item, or its first characters');
    return withStoreFlag(withAgentFlag(command)).action((name: string, flags: ItemFlags) =>
      runChange(context, { action, name }, flags),
    );
  };
}
