import { isCtxError } from '@ctx/core';
import { accessCollection, type ContextStore, collections } from '@ctx/store';
import type { PutOperation, StoreBackend } from '@ctx/store/backend';
import * as z from 'zod';
import type { LiveEventDraft } from './live-event.ts';

/** What fell of an agent, since time passed. */
export interface ToldChange {
  readonly agentId: string;
  /** Of the item, where it is one. */
  readonly id?: string;
  /** How many items, where they are many. */
  readonly count?: number;
}

/** Whose items are looked at, and when. */
export interface TierTelling {
  readonly items: Pick<ContextStore['items'], 'agents' | 'changedTiersSince'>;
  readonly backend: StoreBackend;
  readonly tenant: string;
  /** ms since the epoch. */
  readonly now: number;
  /** No process announces changes if one did so within this time, ms. */
  readonly everyMs: number;
}

/** Most agents that are looked at, and most items of one agent that are counted. */
const mostAgents = 1000;
const mostItems = 1000;
/** From so many on, one event stands for all of an agent. */
const countFrom = 16;
/** What fell longer ago is not announced, ms. */
const longestMs = 24 * 60 * 60 * 1000;

/** No key of a caller: the record is the server's own. */
const claimKey = ['', 'tier-changes'] as const;

const claimSchema = z.object({
  changes: z.array(
    z.object({
      agentId: z.string(),
      id: z.string().exactOptional(),
      count: z.number().exactOptional(),
    }),
  ),
});

/** The events in a write of the claim; none in other writes of its collection. */
export function toldEvents({ key, body }: PutOperation): LiveEventDraft[] {
  if (key[1] !== claimKey[0] || key[2] !== claimKey[1]) return [];
  const { changes } = claimSchema.parse(JSON.parse(body));
  return changes.map((change) => ({ type: 'tier-changed', ...change }));
}

async function changesOf(
  { items, now }: TierTelling,
  agentId: string,
  since: number,
): Promise<readonly ToldChange[]> {
  const request = { until: now, limit: mostItems };
  const { entries } = await items.changedTiersSince(agentId, since, request);
  if (entries.length >= countFrom) return [{ agentId, count: entries.length }];
  return entries.map(({ item }) => ({ agentId, id: item.id }));
}

/**
 * Announces which items fell to a lower tier since the last announcement, because time passed: events `tier-changed` of the live log.
 * The claim and its events are one write, and only one process succeeds with it, so no change is reported twice. The first call
 * only begins. At most 1,000 agents are looked at, and 1,000 items of each. Gives how many changes were told.
 * Reads two ranges of the rank index for each agent.
 */
export async function tellTierChanges(telling: TierTelling): Promise<number> {
  const { items, backend, tenant, now, everyMs } = telling;
  const collection = accessCollection(backend, collections.idempotency, tenant);
  const claim = await collection.get(claimKey, 'columns');
  const told = claim === undefined ? now : Number(claim.columns['created_at']);
  if (claim !== undefined && now - told < everyMs) return 0;
  const since = Math.max(told, now - longestMs);
  const changes: ToldChange[] = [];
  if (since < now) {
    const { entries: agents } = await items.agents({ limit: mostAgents });
    for (const agent of agents) changes.push(...(await changesOf(telling, agent, since)));
  }
  const put = collection.put({
    key: claimKey,
    columns: { created_at: now, request_hash: '', status: 200 },
    body: JSON.stringify({ changes }),
    expectVersion: claim?.version ?? 0,
  });
  try {
    await backend.write([put]);
    return changes.length;
  } catch (error) {
    // Another process told them.
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return 0;
    throw error;
  }
}
