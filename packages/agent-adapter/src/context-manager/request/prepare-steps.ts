import { isCtxError, type Message } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { flashSaveTrigger, previewOf } from '@ctx/store';
import { createSegmentMeter, fitMessages, limitTokensOf, windowPolicy } from '@ctx/truncation';
import type { AutomaticCompactionReceipt } from '../../compaction/compaction-outcome.ts';
import { prepareRequest } from '../../prepare-request.ts';
import { checkSignal } from '../check-signal.ts';
import type { ResumedNotes } from '../history/resumed-notes.ts';
import type { EventHub } from '../manager-events.ts';
import type { ManagerSettings } from '../manager-settings.ts';
import type { ManagerWindow } from '../open-manager-window.ts';
import type { WindowSizes } from '../window-types.ts';
import { codeOf, type Degradation } from './degradation.ts';
import type { Prepared, PrepareReceipt, RequestSettings } from './prepared.ts';
import type { FixedParts } from './request-settings.ts';
import { noAddress, sayNotStored } from './say-not-stored.ts';

/** What is asked for. */
export interface StepInput {
  readonly messages: readonly Message[];
  readonly settings: RequestSettings;
  readonly fixed: FixedParts;
}

/** Errors that are the caller's to know: going on without the store would not help. */
function isForCaller(error: unknown): boolean {
  return (
    isCtxError(error, 'CTX_ABORTED') ||
    isCtxError(error, 'CTX_WINDOW_OVERFLOW') ||
    isCtxError(error, 'CTX_WINDOW_STUCK') ||
    isCtxError(error, 'CTX_INVALID_INPUT')
  );
}

async function compactIfDue(
  { compaction, hold }: ManagerWindow,
  signal: AbortSignal | undefined,
): Promise<AutomaticCompactionReceipt | undefined> {
  if (compaction === undefined || hold.isHeld) return undefined;
  const receipt = await compaction.beforeRequest(signal === undefined ? {} : { signal });
  return receipt.window.compacted || receipt.session !== undefined ? receipt : undefined;
}

/** Each telling is an entry of the log, so what is known is not told again. */
async function tellSizes(
  opened: ManagerWindow,
  sizes: Required<Pick<WindowSizes, 'windowTokens' | 'fixedTokens' | 'fixed' | 'answerTokens'>>,
): Promise<void> {
  const { windowTokens, fixedTokens, fixed, answerTokens } = sizes;
  const told = opened.sizes;
  const isKnown =
    windowTokens === told?.windowTokens &&
    fixedTokens === told.fixedTokens &&
    fixed === told.fixed &&
    answerTokens === told.answerTokens;
  if (isKnown) return;
  await opened.window.resize(sizes);
  opened.sizes = sizes;
}

const noNotes: ResumedNotes = {
  tokens: 0,
  without: (messages) => messages,
  before: (messages) => messages,
};

/** What is told first of the history before, decided with the first request of a window. */
async function notesOf(
  settings: ManagerSettings,
  { history, isResumed }: ManagerWindow,
  messages: readonly Message[],
): Promise<ResumedNotes> {
  if (!isResumed || settings.resumeNotes === 0) return noNotes;
  const { resumedNotes } = await import('../history/resumed-notes.ts');
  return resumedNotes(settings, history, messages);
}

/** Makes the request from the window. */
export async function prepareFromWindow(
  opened: ManagerWindow,
  managed: ManagerSettings,
  { messages, settings, fixed }: StepInput,
): Promise<Prepared> {
  const { window, history } = opened;
  const { windowTokens } = fixed.profile;
  checkSignal(settings.signal);
  opened.hold.isHeld = settings.providerEdits === true;
  const notes = (opened.notes ??= await notesOf(managed, opened, messages));
  const fixedTokens = fixed.fixedTokens + notes.tokens;
  const { answerTokens } = fixed;
  await tellSizes(opened, { windowTokens, fixedTokens, fixed: fixed.fixed, answerTokens });
  const followed = await history.follow(notes.without(messages));
  const compaction = await compactIfDue(opened, settings.signal);
  const request = await window.request(settings.at, fixed.parts);
  history.returned(request.messages);
  const { sequence, tokens, flush } = request;
  return {
    messages: notes.before(request.messages),
    receipt: {
      ...{ sequence, tokens, windowTokens },
      ...followed,
      ...(flush === undefined ? {} : { flush: copyData(flush) }),
      ...(compaction === undefined ? {} : { compaction }),
    },
  };
}

/**
 * Makes the request without a store: mended, and cut to size where it has to be. What fits stays whole, and what leaves has no address:
 * nothing keeps it.
 */
export function prepareWithout(
  { countTokens, policy }: ManagerSettings,
  { messages, fixed }: StepInput,
  degraded: Degradation,
): Prepared {
  const { windowTokens } = fixed.profile;
  const limit = limitTokensOf(policy, windowTokens, fixed.answerTokens);
  const meter = createSegmentMeter(countTokens);
  const mended = prepareRequest(messages, { countTokens, meter });
  const tokensOf = (message: Message): number => meter.tokensOf(message);
  const tokens = mended.messages.reduce((sum, each) => sum + tokensOf(each), fixed.fixedTokens);
  const receipt = { windowTokens, inserted: 0, repairs: mended.repairs, degraded };
  if (tokens <= limit) return { messages: mended.messages, receipt: { ...receipt, tokens } };
  const fitted = fitMessages(mended.messages, {
    budgetTokens: limit,
    policy: windowPolicy('default', { lowMarkShare: 1, offloadFromTokens: limit }),
    addressOf: () => noAddress,
    fixedTokens: { 'system prompt and tools': fixed.fixedTokens },
    tokensOf,
    previewText: ({ text, previewTokens }) => previewOf(text, { maxTokens: previewTokens }),
  });
  const cut = fitted.messages.map(({ message }) => message);
  return {
    messages: sayNotStored(cut, mended.messages),
    receipt: { ...receipt, tokens: fitted.tokens },
  };
}

/** Prepares with the window, and without it where the store fails. */
export async function prepareOrDegrade(
  open: () => Promise<ManagerWindow>,
  settings: ManagerSettings,
  input: StepInput,
): Promise<Prepared> {
  try {
    return await prepareFromWindow(await open(), settings, input);
  } catch (error) {
    if (isForCaller(error)) throw error;
    return prepareWithout(settings, input, { during: 'prepare', code: codeOf(error), error });
  }
}

/** Notes the turn, by which the agent's items age, and saves what it keeps in mind when the request comes near the limit. */
export function createFlashSaver(
  { store, agentId, sessionId, flashSave: policy }: ManagerSettings,
  hub: EventHub,
): (receipt: PrepareReceipt) => Promise<void> {
  const trigger = policy === false ? undefined : flashSaveTrigger(policy);
  return async ({ tokens: requestTokens, windowTokens: limit }) => {
    try {
      await store.items.turn(agentId);
    } catch (error) {
      hub.tell('degraded', { during: 'observe', code: codeOf(error), error });
    }
    if (policy === false || trigger?.({ requestTokens, limit, now: store.clock() }).isDue !== true)
      return;
    try {
      hub.tell('flash-saved', await store.checkpoints.flashSave({ agentId, sessionId, policy }));
    } catch (error) {
      hub.tell('degraded', { during: 'flash-save', code: codeOf(error), error });
    }
  };
}
