import { CtxError, isCtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { didYouMean, onlyMatch } from '../find-session.ts';

/** Most items that are looked through for a likely id, of those in the tiers and of those archived. */
const searched = 1000;

async function knownIds({ items }: ContextStore, agentId: string): Promise<string[]> {
  const [inTiers, archived] = await Promise.all([
    items.list(agentId, { limit: searched }),
    items.list(agentId, { limit: searched, archived: true }),
  ]);
  return [...inTiers.entries, ...archived.entries].map((item) => item.id);
}

/** Names agents that have items where this one has none. */
async function otherAgents(store: ContextStore, agentId: string): Promise<string> {
  const { entries } = await store.items.agents({ limit: 4 });
  if (entries.includes(agentId) || entries.length === 0) return '';
  const more = entries.length > 3 ? ' and others' : '';
  return `; there are items of ${entries.slice(0, 3).join(', ')}${more} (--agent)`;
}

/**
 * The id of the agent's item: this one, or the only one that begins so.
 * @throws `CTX_NOT_FOUND`, naming likely ones; `CTX_AMBIGUOUS` where several begin so.
 */
export async function findItemId(
  store: ContextStore,
  agentId: string,
  id: string,
): Promise<string> {
  if (await isThere(store, agentId, id)) return id;
  const ids = await knownIds(store, agentId);
  const only = onlyMatch('items', id, ids);
  if (only !== undefined) return only;
  const hint = didYouMean(id, ids) || (await otherAgents(store, agentId));
  throw new CtxError('CTX_NOT_FOUND', `there is no item ${id} of agent ${agentId}${hint}`);
}

/** A damaged item is there, too: it can be archived and deleted. */
async function isThere({ items }: ContextStore, agentId: string, id: string): Promise<boolean> {
  try {
    return (await items.get(agentId, id, { peek: true })) !== undefined;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return true;
    throw error;
  }
}
