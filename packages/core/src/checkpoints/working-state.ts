import { itemSummaryOf } from '../items/item-record.ts';
import type { CheckpointSummary } from '../records/checkpoint.ts';
import type { ItemSummary } from '../records/context-item.ts';
import type { Session } from '../records/session.ts';
import type { ImportancePolicy } from '../scoring/importance-policy.ts';
import { lastSequenceOf } from '../store/events.ts';
import { collectMapped } from '../store/map-scan.ts';
import { sessionOf } from '../store/session-record.ts';
import {
  type CheckpointHead,
  type CheckpointPlaces,
  newestCheckpoint,
  readHead,
} from './checkpoint-places.ts';

/** An item, and the version it was read in. */
export interface StandingItem {
  readonly item: ItemSummary;
  readonly version: number;
}

/** Whose state is read. */
export interface WorkingScope {
  readonly agentId: string;
  /** The session that belongs to it. Default: none. */
  readonly sessionId?: string;
}

/** All that a checkpoint is made of, as it was read. */
export interface WorkingState extends WorkingScope {
  /** When it was read, ms since the epoch. */
  readonly now: number;
  /** What tells the tiers. */
  readonly policy: ImportancePolicy;
  /** The items that are not archived, most important first. */
  readonly items: readonly StandingItem[];
  readonly session?: Session;
  /** The newest event of the session; missing where its log is empty. */
  readonly eventSequence?: number;
  readonly head: CheckpointHead;
  /** The newest checkpoint of the agent. */
  readonly previous?: CheckpointSummary;
}

/** The items that are not archived, most important first. Cost: their columns. */
export async function readWorkingItems(
  { items }: CheckpointPlaces,
  agentId: string,
): Promise<StandingItem[]> {
  const query = { index: 'by_rank', equal: [agentId, 0], descending: true } as const;
  return collectMapped(items.scan({ ...query, part: 'columns' }), (record) => ({
    item: itemSummaryOf(record),
    version: record.version,
  }));
}

async function readSession(
  places: CheckpointPlaces,
  sessionId: string | undefined,
): Promise<Pick<WorkingState, 'sessionId' | 'session' | 'eventSequence'>> {
  if (sessionId === undefined) return {};
  const record = await places.sessions.get([sessionId]);
  const eventSequence = await lastSequenceOf(places.events, sessionId);
  return {
    sessionId,
    ...(record === undefined ? {} : { session: sessionOf(record) }),
    ...(eventSequence === undefined ? {} : { eventSequence }),
  };
}

/**
 * Reads what a checkpoint would hold. The head comes first: whoever replaces or destroys an item afterwards makes the commit
 * conflict. Cost: the columns of the items that are not archived, and the session's document.
 */
export async function readWorkingState(
  places: CheckpointPlaces,
  { agentId, sessionId }: WorkingScope,
): Promise<WorkingState> {
  const head = await readHead(places, agentId);
  const previous = await newestCheckpoint(places, agentId);
  const session = await readSession(places, sessionId);
  const { clock, importancePolicy: policy } = places.host;
  return {
    agentId,
    now: clock(),
    policy,
    items: await readWorkingItems(places, agentId),
    ...session,
    head,
    ...(previous === undefined ? {} : { previous }),
  };
}
