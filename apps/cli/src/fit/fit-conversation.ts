import type { ContextStore, Message, TokenCounter } from '@ctx/core';
import { conversationMeter } from './count-conversation.ts';
import { applyDrop, planDrop } from './drop-units.ts';
import { offloadResults } from './offload-results.ts';

export interface FitOptions {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly system: string | undefined;
  readonly budgetTokens: number;
  readonly countTokens: TokenCounter;
}

/** A conversation within its budget, and what was done for that. */
export interface FittedConversation {
  readonly messages: readonly Message[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly offloaded: readonly string[];
  readonly droppedMessages: number;
  readonly droppedPointer?: string;
}

/**
 * Makes a valid conversation fit: large results leave a preview and a pointer, oldest first; then the oldest whole units
 * leave, kept behind one pointer. Contract: what fits already is not changed; nothing is lost; the result is valid.
 * Throws: `CTX_WINDOW_OVERFLOW` where task, system prompt and last exchange alone are too large.
 */
export async function fitConversation(
  messages: readonly Message[],
  { store, sessionId, system, budgetTokens, countTokens }: FitOptions,
): Promise<FittedConversation> {
  const meter = conversationMeter(system, countTokens);
  const tokensBefore = meter.total(messages);
  const nothing = { tokensBefore, droppedMessages: 0 };
  if (tokensBefore <= budgetTokens)
    return { ...nothing, messages, tokensAfter: tokensBefore, offloaded: [] };
  const offloaded = await offloadResults(messages, { store, sessionId, budgetTokens, meter });
  const plan = planDrop(offloaded.messages, budgetTokens, meter);
  const kept = { ...nothing, offloaded: offloaded.pointers };
  if (plan.end === plan.start)
    return { ...kept, messages: offloaded.messages, tokensAfter: offloaded.tokens };
  const dropped = await applyDrop(offloaded.messages, plan, {
    store,
    sessionId,
    originals: messages,
  });
  return {
    ...kept,
    messages: dropped.messages,
    tokensAfter: meter.total(dropped.messages),
    droppedMessages: plan.end - plan.start,
    droppedPointer: dropped.pointer,
  };
}
