import { setImmediate as loopTurn } from 'node:timers/promises';
import type { TokenCounter } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { countRequest } from '@ctx/tokens';
import {
  createSegmentMeter,
  openSessionWindow,
  outputIdOf,
  previewTexts,
  type SessionWindow,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import { stepsOf } from '../replay-session.ts';
import type { Conversation } from './conversation.ts';

/** Longest work between two turns of the event loop, ms. */
const mostMs = 10;

/** How a conversation is played. */
export interface PlayOptions {
  readonly windowTokens: number;
  readonly countTokens: TokenCounter;
  /** Default `default`. */
  readonly mode?: WindowMode;
  /** When the first request was made, ms since the epoch. Default 0. */
  readonly startedAt?: number;
  /** Called after each request. */
  readonly onStep?: (progress: { readonly step: number; readonly steps: number }) => void;
}

/** The results that another store keeps: they are not stored again. */
function storedResults({ pointers }: Conversation): Parameters<SessionWindow['insert']>[1] {
  const stored = [...pointers].map(
    ([call, uri]) => [call, { output: outputIdOf(uri), isWhole: false }] as const,
  );
  return { stored: new Map(stored) };
}

/**
 * Plays a recorded conversation through a window of ctx, request by request at the times it was recorded, and keeps the log of that
 * window: what `sessionLog` tells of it is what ctx would have sent.
 * Gives a store in memory, in which the session has the conversation's id; results that have a pointer keep it. Compacts nothing. Plays the
 * whole conversation, and lets others work every 10 ms.
 * @throws `CTX_WINDOW_OVERFLOW`.
 */
export async function playConversation(
  conversation: Conversation,
  { windowTokens, countTokens, mode = 'default', startedAt = 0, onStep }: PlayOptions,
): Promise<ContextStore> {
  const { session, tools } = conversation;
  const { messages, system = '' } = session;
  const fixed = countRequest({ system, tools, messages: [] }, { counter: countTokens });
  const meter = createSegmentMeter(countTokens);
  const store = await openStore(memoryBackend(), { tokenCounter: countTokens });
  const window = await openSessionWindow({
    ...{ store, sessionId: session.id, windowTokens, policy: windowModes[mode] },
    fixedTokens: fixed.systemTokens + fixed.toolTokens,
    // As `ctx replay` and the context manager have it.
    tokensOf: (message) => meter.tokensOf(message),
    previewText: previewTexts({ countTokens }),
    // The requests are dropped, so they need no copies.
    sharesMessages: true,
  });
  const sizes = { windowTokens, fixedTokens: fixed.systemTokens + fixed.toolTokens };
  const parts = { system: fixed.systemTokens, tools: fixed.toolTokens, definitions: tools };
  if (sizes.fixedTokens > 0) await window.resize({ ...sizes, fixed: parts });
  const stored = storedResults(conversation);
  let [inserted, turn] = [0, performance.now()];
  const steps = stepsOf(session);
  for (const [index, { answerIndex, time }] of steps.entries()) {
    if (performance.now() - turn > mostMs) {
      await loopTurn();
      turn = performance.now();
    }
    await window.insert(messages.slice(inserted, answerIndex), stored);
    inserted = answerIndex;
    await window.request(startedAt + time);
    onStep?.({ step: index + 1, steps: steps.length });
  }
  await window.insert(messages.slice(inserted), stored);
  await window.close();
  return store;
}
