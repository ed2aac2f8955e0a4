import type { ContentBlock, Message, TokenCounter } from '@ctx/core';
import type { Redactor } from '@ctx/redact';
import type { ContextStore } from '@ctx/store';
import { offloadText } from '../insert/offload-text.ts';
import type { PreviewText } from '../window/insert/plan-insert.ts';
import type { WindowPolicy } from '../window/window-policy.ts';
import {
  type ConversationMeter,
  conversationMeter,
  type RequestFrame,
} from './count-conversation.ts';
import { type FittedPart, fitMessages } from './fit-messages.ts';
import type { AddressOf, FitMessagesOptions } from './fit-options.ts';
import { type KeepOptions, type KeptConversation, keepConversation } from './keep-conversation.ts';
import { partsOfStages } from './left-parts.ts';
import { type PlacedMessage, placeMessages } from './place-messages.ts';

/** What a policy goes by that goes over a conversation first. */
export interface FitView {
  readonly kept: KeptConversation;
  readonly budgetTokens: number;
  readonly countTokens: TokenCounter;
  readonly meter: ConversationMeter;
}

/** A way to make a conversation fit. */
export interface FitPolicy {
  readonly name: string;
  /** What the window does with what has to leave. */
  readonly window: WindowPolicy;
  /** Goes over the conversation first, as it would have in the session. What it takes out is kept, too. */
  readonly first?: (messages: readonly Message[], view: FitView) => readonly Message[];
}

export interface FitOptions extends KeepOptions, RequestFrame {
  readonly store: ContextStore;
  readonly budgetTokens: number;
  readonly countTokens: TokenCounter;
  readonly policy: FitPolicy;
  readonly redactor: Redactor;
}

/** A conversation within its budget, and what was done for that. */
export interface FittedConversation {
  readonly messages: readonly PlacedMessage[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Size of what another policy made of it; absent where the window alone was asked. */
  readonly tokensOfPolicy?: number;
  /** Every block of the conversation, with the address where it can be read. */
  readonly parts: readonly FittedPart[];
  /** Where the conversation is kept. */
  readonly kept: KeptConversation;
}

/** Messages of the kept conversation: its address, and the path of the messages in it. */
export function addressesIn({ uri }: KeptConversation, messages: readonly Message[]): AddressOf {
  return (from, to) => {
    if (from === 0 && to === messages.length - 1) return uri;
    const first = `${uri} $[${String(from)}]`;
    return from === to ? first : `${first} to $[${String(to)}]`;
  };
}

function previewsOf(
  { known }: KeptConversation,
  { redactor, countTokens }: FitOptions,
): PreviewText {
  return ({ text: given, pointer: uri, tokens, ...limits }) => {
    const pointer = known.get(uri);
    const text = redactor.redact(given).value;
    if (pointer !== undefined) return offloadText({ pointer, text, countTokens, ...limits });
    return `[ctx: ${String(tokens)} tokens are kept at ${uri}]`;
  };
}

/**
 * Stores a conversation, and makes it fit: folded through the window, after the policy if it is another's.
 * The result is valid and within the budget; whatever is not shown as it was can be read at its address.
 * @throws `CTX_WINDOW_OVERFLOW` naming what cannot shrink and the least budget; the codes of the store.
 */
export async function fitConversation(
  messages: readonly Message[],
  options: FitOptions,
): Promise<FittedConversation> {
  const meter = conversationMeter(options, options.countTokens);
  const tokensBefore = meter.total(messages);
  const kept = await keepConversation(options.store, messages, options);
  const { policy, budgetTokens, countTokens } = options;
  const view = policy.first?.(messages, { kept, budgetTokens, countTokens, meter }) ?? messages;
  const { tokensOf, fixedTokens } = meter;
  const addressOf = addressesIn(kept, messages);
  const places = placeMessages(view, messages, Object.fromEntries(kept.pointers)).map(
    ({ place }) => place,
  );
  const fitOptions: FitMessagesOptions = {
    budgetTokens: options.budgetTokens,
    fixedTokens,
    tokensOf,
    policy: policy.window,
    pointers: Object.fromEntries(kept.pointers),
    addressOf: (from, to) => addressOf(places[from] ?? from, places[to] ?? to),
    previewText: previewsOf(kept, options),
  };
  const { messages: fitted, tokens, parts } = fitMessages(view, fitOptions);
  const pointerOf = (message: number, block: ContentBlock): string =>
    (block.type === 'tool_result' ? kept.pointers.get(block.toolUseId) : undefined) ??
    addressOf(message, message);
  const stages = { given: messages, view, parts, policy: options.policy.name, tokensOf, pointerOf };
  return {
    messages: fitted.map(({ message, place }) => ({ message, place: places[place] ?? place })),
    tokensBefore,
    tokensAfter: tokens,
    ...(options.policy.first === undefined ? {} : { tokensOfPolicy: meter.total(view) }),
    parts: partsOfStages(stages),
    kept,
  };
}
