import type { ItemAction } from '@ctx/store';
import type { CommandEntry } from '../command-context.ts';

function changing(name: ItemAction, summary: string): CommandEntry {
  const load = async () => (await import('./item/change-item.ts')).changeItemCommand(name);
  return { name, group: 'memory', as: `items ${name}`, summary, load };
}

/** The commands for what an agent has in mind, in the order of the help. */
export const itemCommands: readonly CommandEntry[] = [
  {
    name: 'save',
    group: 'memory',
    as: 'items save',
    summary: 'save an item that an agent should keep in mind',
    load: async () => (await import('./item/save.ts')).saveCommand,
  },
  {
    name: 'items',
    group: 'memory',
    summary: 'list what an agent has in mind, or search it',
    load: async () => (await import('./item/items.ts')).itemsCommand,
  },
  {
    name: 'item',
    group: 'memory',
    as: 'items show',
    summary: 'show one item and why it matters',
    load: async () => (await import('./item/item.ts')).itemCommand,
  },
  {
    name: 'tiers',
    group: 'memory',
    as: 'items tiers',
    summary: "show an agent's hot, warm and cold items",
    load: async () => (await import('./item/tiers.ts')).tiersCommand,
  },
  changing('pin', 'keep an item hot'),
  changing('unpin', 'let a pinned item fade again'),
  changing('touch', 'count a read of an item'),
  changing('finish', 'say that an item is over: it is cold from now on'),
  changing('reopen', 'take back that an item is over'),
  changing('archive', 'take an item out of the tiers'),
  changing('unarchive', 'bring an archived item back'),
  {
    name: 'delete',
    group: 'memory',
    as: 'items delete',
    summary: 'destroy an item',
    load: async () => (await import('./session/delete.ts')).deleteCommand,
  },
];
