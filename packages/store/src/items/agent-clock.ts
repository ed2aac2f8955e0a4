import { type ImportancePolicy, type ItemSummary, rankOf } from '@ctx/core';
import type { StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';

/** An agent's own time: it stands still while the agent does nothing. */
export interface AgentClock {
  /** When the agent last acted, ms since the epoch; missing if that was never noted. */
  readonly activeAt?: number;
  /** How much of the time until then the agent did not work, ms. */
  readonly idleMs: number;
  /** Of the record that holds it; 0 if there is none. */
  readonly version: number;
}

/** Returns the clock in the record of an agent's checkpoints. */
export function agentClockOf(record: StoredRecord | undefined): AgentClock {
  if (record === undefined) return { idleMs: 0, version: 0 };
  const { active_at: activeAt, idle_ms: idleMs } = record.columns;
  return {
    ...(typeof activeAt === 'number' ? { activeAt } : {}),
    idleMs: typeof idleMs === 'number' ? idleMs : 0,
    version: record.version,
  };
}

type Pausing = Pick<ImportancePolicy, 'pauseMs'>;

/**
 * Returns the agent's own time at a moment: all time counts up to `pauseMs` after its last act. For a moment before that act it is at
 * most what it was then.
 */
export function agentTime(
  { activeAt, idleMs }: AgentClock,
  at: number,
  { pauseMs }: Pausing,
): number {
  if (pauseMs === Number.POSITIVE_INFINITY) return at;
  return (activeAt === undefined ? at : Math.min(at, activeAt + pauseMs)) - idleMs;
}

/** Returns the columns that say that the agent acts at `now`. */
export function actingColumns(
  clock: AgentClock,
  now: number,
  policy: Pausing,
): { readonly active_at: number; readonly idle_ms: number } {
  const activeAt = Math.max(now, clock.activeAt ?? now);
  return { active_at: activeAt, idle_ms: Math.round(now - agentTime(clock, now, policy)) };
}

/** An act is noted once in this part of a pause. */
const notedShare = 5;

/** Notes that the agent acts at `now`; nothing if that was noted a moment ago, or if all time counts. */
export function actOperations(
  heads: CollectionAccess,
  [agentId, clock]: readonly [string, AgentClock],
  { now, policy }: { readonly now: number; readonly policy: Pausing },
): WriteOperation[] {
  const { activeAt, version } = clock;
  if (policy.pauseMs === Number.POSITIVE_INFINITY) return [];
  if (activeAt !== undefined && now - activeAt < policy.pauseMs / notedShare) return [];
  const columns = actingColumns(clock, now, policy);
  const key = [agentId];
  if (version > 0) return [heads.patch({ key, columns })];
  const first = { ...columns, last_sequence: -1, changed_at: now };
  return [heads.put({ key, columns: first, body: '{}', expectVersion: 0 })];
}

/** When a change happens and under which policy. */
export interface ChangeContext {
  /** ms since the epoch. */
  readonly now: number;
  /** The same moment in the agent's own time: what tells the tiers. */
  readonly agentNow: number;
  /** Any moment in the agent's own time. */
  readonly timeAt: (at: number) => number;
  readonly clock: AgentClock;
  readonly policy: ImportancePolicy;
}

/** An item whose moments are those of its agent's own time. */
function inOwnTime<T extends Pick<ItemSummary, 'createdAt' | 'lastAccessedAt'>>(
  item: T,
  idleMs: number,
): T {
  const { createdAt, lastAccessedAt } = item;
  return { ...item, createdAt: createdAt - idleMs, lastAccessedAt: lastAccessedAt - idleMs };
}

/**
 * An item with the moments that its rank was made of: how long its agent had not worked until its last touch is what its rank lacks.
 * At least none and at most all that the agent ever did not work, also if another policy made the rank.
 */
export function asRanked<T extends ItemSummary>(
  item: T,
  { now, agentNow, policy }: Pick<ChangeContext, 'now' | 'agentNow' | 'policy'>,
): T {
  const lacking = Math.round((rankOf(item, policy) - item.rank) * policy.decayMs);
  return inOwnTime(item, Math.min(Math.max(0, lacking), now - agentNow));
}

/** An item that is touched at this moment, with its moments in its agent's own time. */
export function asTouched<T extends Pick<ItemSummary, 'createdAt' | 'lastAccessedAt'>>(
  item: T,
  { now, agentNow }: Pick<ChangeContext, 'now' | 'agentNow'>,
): T {
  return inOwnTime(item, now - agentNow);
}
