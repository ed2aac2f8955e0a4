import type { ItemSummary } from '@ctx/core';
import { type Answer, entryOf, type entrySchemas } from '@ctx/server/records';
import { type ContextStore, defaultAgentId } from '@ctx/store';
import type { Command } from 'commander';
import type { StoreFlags } from '../command-context.ts';

type ItemEntry = Answer<typeof entrySchemas.item>;

/** Flags of every command that works on an agent's items. */
export interface ItemFlags extends StoreFlags {
  readonly agent: string;
}

/** Adds the flag that names the agent. */
export function withAgentFlag(command: Command): Command {
  return command.option('--agent <id>', 'agent whose items are meant', defaultAgentId);
}

/** The entry of an item as it stands now. */
export function explainedEntry(
  { items }: ContextStore,
  item: ItemSummary & { readonly content?: string },
): ItemEntry {
  return entryOf.item(item, items.explain(item));
}
