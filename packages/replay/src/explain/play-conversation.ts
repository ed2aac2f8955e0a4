import { setImmediate as loopTurn } from 'node:timers/promises';
import type { Message, TokenCounter } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { countRequest } from '@ctx/tokens';
import {
  type CachePrice,
  createSegmentMeter,
  openSessionWindow,
  outputIdOf,
  previewTexts,
  type SessionWindow,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import { compactionOf } from '../replay-compaction.ts';
import type { CompactWindow } from '../replay-policy.ts';
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
  /** Default: that of a session's window. */
  readonly price?: CachePrice;
  /** How the window is compacted, as the `ctx` policies of a replay do it. Default: not at all, which suffices to read its messages. */
  readonly compactWindow?: CompactWindow;
  /** How many requests are made. Default: all. */
  readonly requests?: number;
  /** When the first request was made, ms since the epoch. Default 0. */
  readonly startedAt?: number;
  /** When a message was said, ms since the epoch; one that it does not know has the time of the one before. Default: at the start. */
  readonly saidAt?: (message: Message) => number | undefined;
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

type Sizes = Omit<Parameters<SessionWindow['resize']>[0], 'windowTokens'>;

/** What stands before the messages, and the room for the answer where that is known. */
function sizesOf({ session, tools, told }: Conversation, counter: TokenCounter): Sizes {
  if (told !== undefined) {
    const { windowTokens, limitTokens, systemTokens, toolTokens, fixedTokens } = told;
    const fixed = { system: systemTokens, tools: toolTokens };
    return { fixedTokens, fixed, answerTokens: windowTokens - limitTokens };
  }
  const { system = '' } = session;
  const request = { system, tools, messages: [] };
  const { systemTokens, toolTokens } = countRequest(request, { counter });
  const fixed = { system: systemTokens, tools: toolTokens, definitions: tools };
  return { fixedTokens: systemTokens + toolTokens, fixed };
}

/** Opens the window of a conversation, with its system prompt and tools before what comes in. */
async function openPlayed(
  conversation: Conversation,
  store: ContextStore,
  { windowTokens, countTokens, mode = 'default', price }: PlayOptions,
): Promise<SessionWindow> {
  const { id: sessionId } = conversation.session;
  const sizes = sizesOf(conversation, countTokens);
  const { fixedTokens = 0 } = sizes;
  const meter = createSegmentMeter(countTokens);
  const window = await openSessionWindow({
    ...{ store, sessionId, windowTokens, fixedTokens, policy: windowModes[mode] },
    ...(price && { price }),
    // As `ctx replay` and the context manager have it.
    tokensOf: (message) => meter.tokensOf(message),
    previewText: previewTexts({ countTokens }),
    // The requests are dropped, so they need no copies.
    sharesMessages: true,
  });
  if (fixedTokens > 0) await window.resize({ windowTokens, ...sizes });
  return window;
}

/**
 * Plays a recorded conversation through a window of ctx, request by request at the times it was recorded, and keeps the log of that
 * window: what `sessionLog` tells of it is what ctx would have sent.
 * Gives a store in memory, in which the session has the conversation's id; results that have a pointer keep it. Lets others work every
 * 10 ms.
 * @throws `CTX_WINDOW_OVERFLOW`.
 */
export async function playConversation(
  conversation: Conversation,
  options: PlayOptions,
): Promise<ContextStore> {
  const { countTokens, compactWindow, startedAt = 0, requests, onStep } = options;
  const { session, model } = conversation;
  const { messages } = session;
  let now = startedAt;
  const clock = (): number => now;
  // An import has stored every result that came. One that never came is named by its messages, never by an output of this store.
  const outputs = conversation.pointers.size > 0 ? { persist: 'large-only' as const } : {};
  const store = await openStore(memoryBackend(), { tokenCounter: countTokens, clock, outputs });
  const window = await openPlayed(conversation, store, options);
  const stored = storedResults(conversation);
  const insert = async (from: number, to?: number): Promise<void> => {
    for (const message of messages.slice(from, to)) {
      now = options.saidAt?.(message) ?? now;
      await window.insert(message, stored);
    }
  };
  const compaction =
    compactWindow && compactionOf(window, { compactWindow, countTokens }, { whenItPays: true });
  let [inserted, turn] = [0, performance.now()];
  const steps = stepsOf(session).slice(0, requests);
  for (const [index, { answerIndex, time }] of steps.entries()) {
    if (performance.now() - turn > mostMs) {
      await loopTurn();
      turn = performance.now();
    }
    await insert(inserted, answerIndex);
    inserted = answerIndex;
    await compaction?.beforeRequest();
    await window.request(startedAt + time, model === undefined ? {} : { model });
    onStep?.({ step: index + 1, steps: steps.length });
  }
  if (requests === undefined) await insert(inserted);
  await window.close();
  return store;
}
