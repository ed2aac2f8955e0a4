import {
  checkpointHeadsCollection,
  checkpointPartsCollection,
  checkpointsCollection,
  itemContentsCollection,
} from '../collections/checkpoint-collections.ts';
import {
  eventsCollection,
  itemsCollection,
  sessionsCollection,
} from '../collections/collections.ts';
import { type AgentClock, agentClockOf } from '../items/agent-clock.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import type { StoreHost } from '../store-host.ts';
import type { CheckpointSummary } from './checkpoint.ts';
import { checkpointSummaryOf } from './checkpoint-record.ts';

/** The collections that checkpoints read and write. */
export interface CheckpointPlaces {
  readonly host: StoreHost;
  readonly checkpoints: CollectionAccess;
  readonly parts: CollectionAccess;
  readonly heads: CollectionAccess;
  readonly contents: CollectionAccess;
  readonly items: CollectionAccess;
  readonly sessions: CollectionAccess;
  readonly events: CollectionAccess;
}

/** Binds them to the tenant. Does nothing until used. */
export function checkpointPlaces(host: StoreHost): CheckpointPlaces {
  const bound = (definition: Parameters<typeof accessCollection>[1]): CollectionAccess =>
    accessCollection(host.backend, definition, host.tenant);
  return {
    host,
    checkpoints: bound(checkpointsCollection),
    parts: bound(checkpointPartsCollection),
    heads: bound(checkpointHeadsCollection),
    contents: bound(itemContentsCollection),
    items: bound(itemsCollection),
    sessions: bound(sessionsCollection),
    events: bound(eventsCollection),
  };
}

/** What is known of an agent's checkpoints, and the version in which it was read. */
export interface CheckpointHead {
  /** 0 where there is no record yet. */
  readonly version: number;
  /** Number of the newest checkpoint that the agent ever had; -1 where it had none. */
  readonly lastSequence: number;
  readonly clock: AgentClock;
}

/** Reads one record's columns. */
export async function readHead(
  { heads }: CheckpointPlaces,
  agentId: string,
): Promise<CheckpointHead> {
  const record = await heads.get([agentId], 'columns');
  const clock = agentClockOf(record);
  if (record === undefined) return { version: 0, lastSequence: -1, clock };
  const lastSequence = Number(record.columns['last_sequence']);
  return { version: record.version, lastSequence, clock };
}

/** The newest checkpoint of an agent. Reads one record's columns. */
export async function newestCheckpoint(
  { checkpoints }: CheckpointPlaces,
  agentId: string,
): Promise<CheckpointSummary | undefined> {
  const newest = { index: 'key', equal: [agentId], descending: true, limit: 1 } as const;
  for await (const record of checkpoints.scan({ ...newest, part: 'columns' }))
    return checkpointSummaryOf(record);
  return undefined;
}
