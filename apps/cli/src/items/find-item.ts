import { CtxError, isCtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/** Most items that are looked through for a likely id, of those in the tiers and of those archived. */
const searched = 1000;

async function likelyIds(
  { items }: ContextStore,
  agentId: string,
  id: string,
): Promise<{ matching: string[]; similar: string[] }> {
  const [inTiers, archived] = await Promise.all([
    items.list(agentId, { limit: searched }),
    items.list(agentId, { limit: searched, archived: true }),
  ]);
  const ids = [...inTiers.entries, ...archived.entries].map((item) => item.id);
  const isNamed = id !== '';
  return {
    matching: ids.filter((candidate) => isNamed && candidate.startsWith(id)),
    similar: ids.filter((candidate) => isNamed && candidate.includes(id)),
  };
}

/** What to say where the agent has no such item: likely ids, or agents that have items. */
async function hintOf(
  store: ContextStore,
  agentId: string,
  similar: readonly string[],
): Promise<string> {
  if (similar.length > 0) return `; did you mean ${similar.slice(0, 3).join(' or ')}?`;
  const { entries } = await store.items.agents({ limit: 4 });
  if (entries.includes(agentId) || entries.length === 0) return '';
  const more = entries.length > 3 ? ' and others' : '';
  return `; there are items of ${entries.slice(0, 3).join(', ')}${more} (--agent)`;
}

/**
 * The id of the agent's item: this one, or the only one that begins so.
 * @throws `CTX_NOT_FOUND`, naming likely ones; `CTX_INVALID_INPUT` where several begin so.
 */
export async function findItemId(
  store: ContextStore,
  agentId: string,
  id: string,
): Promise<string> {
  if (await isThere(store, agentId, id)) return id;
  const { matching, similar } = await likelyIds(store, agentId, id);
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only;
  if (others.length > 0) {
    const names = matching.slice(0, 3).join(', ');
    throw new CtxError('CTX_AMBIGUOUS', `several items begin with ${id}: ${names}`);
  }
  const hint = await hintOf(store, agentId, similar);
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
