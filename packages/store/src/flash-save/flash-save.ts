import type { CheckpointRetention } from '../checkpoints/retention.ts';
import type { WorkingScope } from '../checkpoints/working/working-state.ts';
import type { ContextStore } from '../open-store.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import { type FlashSavePolicy, flashSavePolicy } from './flash-save-policy.ts';
import {
  type BigItem,
  type FlashSaveNaming,
  type FlashSavePlan,
  planFlashSave,
} from './plan-flash-save.ts';

/** What a flash save did. */
export interface FlashSaveReceipt {
  /** The checkpoint that it wrote, or the earlier one that says the same; missing where it was skipped. */
  readonly checkpointId?: string;
  /** True where an earlier checkpoint says the same and nothing was written. */
  readonly unchanged: boolean;
  /** Why nothing was saved: the agent has no items and no session. */
  readonly skipped?: 'nothing-to-save';
  /** Tokens of the items that were in the working context. */
  readonly tokensBefore: number;
  /** Tokens of the hot items that stay in it. */
  readonly tokensAfter: number;
  /** How much of `tokensBefore` left, 0…100. */
  readonly reductionPercent: number;
  readonly itemsArchived: number;
  readonly hotItemsRetained: number;
  /** Warm items, which stay at hand but out of the working context. */
  readonly warmItemsRetained: number;
  /** Ids of the hot items that stay in the working context, most important first. */
  readonly retained: readonly string[];
  /** Whether all pinned and hot items stay within their budget. */
  readonly fits: boolean;
  /** Where they do not: the biggest of them, biggest first. */
  readonly biggest: readonly BigItem[];
  /** Older checkpoints that retention took with it. */
  readonly checkpointsDeleted: number;
}

/** What is saved, and how. */
export interface FlashSaveRequest extends WorkingScope, FlashSaveNaming {
  readonly policy?: Partial<FlashSavePolicy>;
  /** Which checkpoints of the agent stay behind it. Default: the newest 20, and all that have a label. */
  readonly retention?: Partial<CheckpointRetention>;
}

function numbersOf(plan: FlashSavePlan) {
  const { tokensBefore, tokensAfter, archive, retained, warm, fits, biggest } = plan;
  const share = tokensBefore === 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore;
  return {
    tokensBefore,
    tokensAfter,
    reductionPercent: Math.round(share * 1000) / 10,
    itemsArchived: archive,
    hotItemsRetained: retained.length,
    warmItemsRetained: warm,
    retained,
    fits,
    biggest,
    checkpointsDeleted: 0,
  };
}

/**
 * Does what was planned, in one write that outlives a power cut: the checkpoint and the marks of what is archived, or nothing.
 * Contract: a state that the newest checkpoint describes already is not written again. Throws: `CTX_STORE_CONFLICT` where what
 * was planned on is no longer so.
 */
export async function applyFlashSave(
  store: ContextStore,
  plan: FlashSavePlan,
): Promise<FlashSaveReceipt> {
  const { state, archive, label, trigger = 'limit' } = plan;
  const { items, session, eventSequence } = state;
  if (items.count === 0 && session === undefined && eventSequence === undefined) {
    return { ...numbersOf(plan), unchanged: true, skipped: 'nothing-to-save' };
  }
  const named = label === undefined ? {} : { label };
  const draft = { state, archive, trigger, ...named };
  const { checkpoint, unchanged } = await store.checkpoints.commit(draft);
  return { checkpointId: checkpoint.id, unchanged, ...numbersOf(plan) };
}

/**
 * Keeps a checkpoint of an agent's items and of a session, archives what is cold, and says what stays in the working context.
 * Contract: all or nothing; never a second identical checkpoint; plans again where somebody wrote meanwhile.
 * Cost: the columns of the items that are not archived, and one write.
 */
export async function flashSave(
  store: ContextStore,
  { policy: given, retention, agentId, sessionId, ...naming }: FlashSaveRequest,
): Promise<FlashSaveReceipt> {
  const policy = flashSavePolicy(given);
  const scope = { agentId, ...(sessionId === undefined ? {} : { sessionId }) };
  // What was observed of the session belongs to the state that is saved.
  if (sessionId !== undefined) await store.sessions.flush(sessionId);
  const receipt = await retryOnConflict(async () => {
    const state = await store.checkpoints.read(scope);
    return applyFlashSave(store, planFlashSave(state, policy, naming));
  });
  if (receipt.unchanged) return receipt;
  const pruned = await store.checkpoints.prune(agentId, retention);
  return { ...receipt, checkpointsDeleted: pruned.checkpoints };
}
