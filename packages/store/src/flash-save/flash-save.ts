import type { CheckpointService } from '../checkpoints/checkpoints.ts';
import type { CheckpointRetention } from '../checkpoints/retention.ts';
import type { WorkingScope } from '../checkpoints/working/working-state.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { SessionService } from '../sessions/sessions.ts';
import { type FlashSavePolicy, flashSavePolicy } from './flash-save-policy.ts';
import {
  type BigItem,
  type FlashSaveNaming,
  type FlashSavePlan,
  planFlashSave as planOf,
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
  /** Which checkpoints of the agent stay after it. Default: the newest 20, and all that have a label. */
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

type Commit = Pick<CheckpointService, 'commit'>;

/** Does what was planned: the checkpoint and the marks of what is archived in one write that outlives a power cut. */
export async function applyFlashSave(
  { commit }: Commit,
  plan: FlashSavePlan,
): Promise<FlashSaveReceipt> {
  const { state, archive, label, trigger = 'limit' } = plan;
  const { items, session, eventSequence } = state;
  if (items.count === 0 && session === undefined && eventSequence === undefined) {
    return { ...numbersOf(plan), unchanged: true, skipped: 'nothing-to-save' };
  }
  const named = label === undefined ? {} : { label };
  const { checkpoint, unchanged } = await commit({ state, archive, trigger, ...named });
  return { checkpointId: checkpoint.id, unchanged, ...numbersOf(plan) };
}

/** Flash saves of one tenant's agents. */
export interface FlashSaves {
  /** Decides what a flash save would do and writes nothing. Reads the columns of the items that are not archived. */
  planFlashSave(request: FlashSaveRequest): Promise<FlashSavePlan>;
  /**
   * Writes a checkpoint of an agent's items and of a session, archives what is cold, and says what stays in the working context: all or
   * nothing, in one write that outlives a power cut. A state that the newest checkpoint describes is not written again.
   */
  flashSave(request: FlashSaveRequest): Promise<FlashSaveReceipt>;
}

/** Makes the flash saves of a store. What was observed of the session belongs to the state that is saved, so that it is flushed first. */
export function flashSaves(
  checkpoints: Pick<CheckpointService, 'read' | 'commit' | 'prune'>,
  { flush }: Pick<SessionService, 'flush'>,
): FlashSaves {
  const planFlashSave: FlashSaves['planFlashSave'] = async (request) => {
    const { policy, retention: _later, agentId, sessionId, ...naming } = request;
    const checked = flashSavePolicy(policy);
    const scope = { agentId, ...(sessionId === undefined ? {} : { sessionId }) };
    return planOf(await checkpoints.read(scope), checked, naming);
  };
  return {
    planFlashSave,
    async flashSave(request) {
      const { agentId, sessionId, retention } = request;
      flashSavePolicy(request.policy);
      if (sessionId !== undefined) await flush(sessionId);
      const receipt = await retryOnConflict(async () =>
        applyFlashSave(checkpoints, await planFlashSave(request)),
      );
      if (receipt.unchanged) return receipt;
      const pruned = await checkpoints.prune(agentId, retention);
      return { ...receipt, checkpointsDeleted: pruned.checkpoints };
    },
  };
}
