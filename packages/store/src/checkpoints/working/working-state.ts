import type { ImportancePolicy } from '@ctx/core';
import { lastSequenceOf } from '../../events/events.ts';
import { agentTime } from '../../items/agent-clock.ts';
import type { Session } from '../../sessions/session-document.ts';
import { sessionOf } from '../../sessions/session-record.ts';
import type { CheckpointSummary } from '../checkpoint.ts';
import {
  type CheckpointHead,
  type CheckpointPlaces,
  newestCheckpoint,
  readHead,
} from '../checkpoint-places.ts';
import { type WorkingItems, workingItems } from './working-items.ts';
import { listedNames, partItems } from './working-part.ts';

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
  /** The same moment in the agent's own time: what tells the tiers. */
  readonly agentNow: number;
  readonly policy: ImportancePolicy;
  /** The items that are not archived, most important first. */
  readonly items: WorkingItems;
  readonly session?: Session;
  /** The newest event of the session; missing where its log is empty. */
  readonly eventSequence?: number;
  readonly head: CheckpointHead;
  /** The newest checkpoint of the agent. */
  readonly previous?: CheckpointSummary;
}

/** The items that are not archived, most important first. Reads their columns as lists. */
export async function readWorkingItems(
  { items }: CheckpointPlaces,
  agentId: string,
): Promise<WorkingItems> {
  const query = { index: 'by_rank', equal: [agentId, 0], descending: true } as const;
  const lists = await items.lists({ ...query, names: listedNames, size: partItems });
  return workingItems(agentId, lists);
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
 * conflict. Reads the columns of the items that are not archived, and the session's document.
 */
export async function readWorkingState(
  places: CheckpointPlaces,
  { agentId, sessionId }: WorkingScope,
): Promise<WorkingState> {
  const head = await readHead(places, agentId);
  const previous = await newestCheckpoint(places, agentId);
  const session = await readSession(places, sessionId);
  const { clock, importancePolicy: policy } = places.host;
  const now = clock();
  return {
    agentId,
    now,
    agentNow: agentTime(head.clock, now, policy),
    policy,
    items: await readWorkingItems(places, agentId),
    ...session,
    head,
    ...(previous === undefined ? {} : { previous }),
  };
}
