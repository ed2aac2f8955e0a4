import type { Summarizer } from '@ctx/compactor';
import { CtxError, type TokenCounter } from '@ctx/core';
import type { createMemory } from '@ctx/memory';
import {
  type ContextStore,
  defaultAgentId,
  type FlashSavePolicy,
  flashSaveTrigger,
} from '@ctx/store';
import {
  cachePriceOf,
  type ModelProfile,
  modelProfile,
  type OffloadPolicy,
  offloadPolicy,
  type WindowMode,
  type WindowPolicy,
  windowModes,
} from '@ctx/truncation';
import type { AutomaticCompactionOptions } from '../compaction/compaction-options.ts';
import { checkName, checkNumbers, checkParts } from './check-options.ts';

export type MemoryOptions = NonNullable<Parameters<typeof createMemory>[1]>;

/** How a context manager is made. */
export interface ContextManagerOptions {
  /** Where everything is kept. It stays the caller's: `end` does not close it. */
  readonly store: ContextStore;
  readonly sessionId: string;
  /** Whose items and facts these are. Default `default`. */
  readonly agentId?: string;
  /**
   * The model's name, or what has to be known of it; sizes and prices that stand here hold for every request, whatever model it names.
   * Default: an unknown one with a window of 128,000 tokens; a profile without a price gets that of its name.
   */
  readonly model?: string | (Omit<ModelProfile, 'price'> & Partial<Pick<ModelProfile, 'price'>>);
  /** Counts messages. Default: the store's counter. */
  readonly tokenCounter?: TokenCounter;
  /** Writes summaries. Default: without a model. */
  readonly summarizer?: Summarizer;
  /** What leaves, and when: `default`, `thrifty`, `evidence`, or numbers of your own. */
  readonly policy?: WindowMode | WindowPolicy;
  /** Which results leave a pointer at once. */
  readonly offload?: Partial<OffloadPolicy>;
  /** How the window is compacted; `false`: never. */
  readonly compaction?: AutomaticCompactionOptions | false;
  /**
   * Keeps what is said beyond the session: facts are read out of each turn after its request. The scope is added to that of the agent
   * and the session, such as `{ user: 'ada' }`. Default: only what `remember` is given.
   */
  readonly memory?: MemoryOptions;
  /** When a flash save is made before a request; `false`: never. Default: at 80 % of the window. */
  readonly flashSave?: Partial<FlashSavePolicy> | false;
  /**
   * Most tokens of the notes that stand before the first message if a session goes on and nothing of its history is in the messages: the
   * user's requests and rules, open tasks, addresses. 0: none. Default 2,000, at most a sixteenth of the window.
   */
  readonly resumeNotes?: number;
}

/** Options with their defaults, checked. */
export interface ManagerSettings {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly agentId: string;
  readonly profile: ModelProfile;
  /** Whether the user said what the model is like, and did not only name it. */
  readonly isProfileGiven: boolean;
  readonly countTokens: TokenCounter;
  readonly policy: WindowPolicy;
  readonly offload: OffloadPolicy;
  readonly compaction: AutomaticCompactionOptions | false;
  readonly flashSave: Partial<FlashSavePolicy> | false;
  readonly resumeNotes: number;
  readonly memory?: MemoryOptions;
}

/** Stands for the model where the caller names none. */
export const unnamedModel = 'unknown';

function profileOf(model: ContextManagerOptions['model'] = unnamedModel): ModelProfile {
  const known = modelProfile(typeof model === 'string' ? model : model.name);
  const profile =
    typeof model === 'string' ? known : { ...model, price: model.price ?? known.price };
  cachePriceOf(profile.price);
  if (Number.isSafeInteger(profile.windowTokens) && profile.windowTokens > 0) return profile;
  throw new CtxError('CTX_INVALID_OPTION', 'model.windowTokens must be a whole number above 0');
}

function policyOf(policy: WindowMode | WindowPolicy): WindowPolicy {
  if (typeof policy !== 'string') {
    checkNumbers(policy);
    return policy;
  }
  if (Object.hasOwn(windowModes, policy)) return windowModes[policy];
  const names = Object.keys(windowModes).join(', ');
  throw new CtxError('CTX_INVALID_OPTION', `policy must be ${names}, or numbers of your own`);
}

function compactionOf(
  { compaction = {}, summarizer }: ContextManagerOptions,
  countTokens: TokenCounter,
): AutomaticCompactionOptions | false {
  if (compaction === false) return false;
  // The manager keeps messages in the log of the window; the session's document has none of its own to compact.
  const usual = { countTokens, session: false } as const;
  return { ...usual, ...(summarizer === undefined ? {} : { summarizer }), ...compaction };
}

/** @throws `CTX_INVALID_OPTION` for a policy that makes no sense. */
function flashSaveOf({ flashSave = {} }: ContextManagerOptions): Partial<FlashSavePolicy> | false {
  if (flashSave !== false) flashSaveTrigger(flashSave);
  return flashSave;
}

/** A caller without types hears of it now, not in the first call. */
function checkPlace(store: Partial<ContextStore> | null | undefined, sessionId: unknown): void {
  if (typeof store?.events?.append !== 'function') {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `store must be an open store, got ${typeof store}: await openStore() or the opener first`,
    );
  }
  checkName('sessionId', sessionId);
}

/**
 * Fills in defaults.
 * @throws `CTX_INVALID_OPTION` for what makes no sense.
 */
export function managerSettings(options: ContextManagerOptions): ManagerSettings {
  const place = Object(options) as ContextManagerOptions;
  const { store, sessionId, agentId = defaultAgentId, policy = 'default' } = place;
  checkPlace(store, sessionId);
  checkName('agentId', agentId);
  checkParts(place);
  const countTokens = options.tokenCounter ?? store.countTokens;
  const offload = offloadPolicy(options.offload);
  const { resumeNotes = 2000 } = options;
  if (!Number.isSafeInteger(resumeNotes) || resumeNotes < 0) {
    const given = String(resumeNotes);
    throw new CtxError('CTX_INVALID_OPTION', `resumeNotes must be 0 or more tokens, got ${given}`);
  }
  return {
    ...{ store, sessionId, agentId, countTokens, offload, resumeNotes },
    profile: profileOf(options.model),
    isProfileGiven: typeof options.model === 'object',
    policy: policyOf(policy),
    compaction: compactionOf(options, countTokens),
    flashSave: flashSaveOf(options),
    ...(options.memory === undefined ? {} : { memory: options.memory }),
  };
}
