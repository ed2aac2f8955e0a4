import type { ItemSummary, Tier } from '@ctx/core';
import type { Session } from '../sessions/session-document.ts';

/** What began a checkpoint: the limit of tokens, a call, or a restore that keeps the state before it. */
export type CheckpointTrigger = 'limit' | 'manual' | 'before-restore';

/** Items and their tokens. */
export interface ItemCount {
  readonly items: number;
  readonly tokens: number;
}

/** All of a checkpoint but its session and its manifest: what lists show. */
export interface CheckpointSummary {
  readonly id: string;
  readonly agentId: string;
  /** Number within the agent, from 0. The only order: clocks may go backwards. */
  readonly sequence: number;
  /** ms since the epoch; data, never order. */
  readonly createdAt: number;
  readonly trigger: CheckpointTrigger;
  /** What has a label is kept until it is deleted. */
  readonly label?: string;
  readonly sessionId?: string;
  /** Version of the session's record. */
  readonly sessionVersion?: number;
  /** The newest event of the session; missing where its log was empty. */
  readonly eventSequence?: number;
  /** Items of the manifest, by the tier that they had, archived ones apart. */
  readonly hot: ItemCount;
  readonly warm: ItemCount;
  readonly cold: ItemCount;
  readonly archived: ItemCount;
}

/** A restorable moment. */
export interface Checkpoint extends CheckpointSummary {
  /** The session as it was. */
  readonly session?: Session;
}

/** An item as it was, all but its content, which its fingerprint names. */
export interface ManifestItem extends Omit<ItemSummary, 'agentId'> {
  /** Its tier at that moment. */
  readonly tier: Tier;
}
