import { automaticCompaction } from '@ctx/agent-adapter';
import { offloadText } from '@ctx/truncation';
import type { ContentBlock, Message, TokenCounter } from '@ctx/core';
import type { Redactor } from '@ctx/redact';
import type { ContextStore } from '@ctx/store';
import {
  type AddressOf,
  type FitMessagesOptions,
  type FittedPart,
  fitMessages,
  type PlacedMessage,
  placeMessages,
  type PreviewText,
} from '@ctx/truncation';
import { cachePrices } from '@ctx/truncation/cost';
import {
  type ConversationMeter,
  conversationMeter,
  type RequestFrame,
} from './count-conversation.ts';
import type { FitPolicy } from './fit-policies.ts';
import { keepConversation, type KeepOptions, type KeptConversation } from './keep-conversation.ts';
import { partsOfStages } from './left-parts.ts';
import { viewOfPolicy } from './policy-view.ts';

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
  return ({ text: given, pointer: uri, tokens, previewTokens }) => {
    const pointer = known.get(uri);
    const text = redactor.redact(given).value;
    if (pointer !== undefined) return offloadText({ pointer, text, previewTokens, countTokens });
    return `[ctx: ${String(tokens)} tokens are kept at ${uri}]`;
  };
}

interface Stage {
  readonly messages: readonly Message[];
  readonly options: FitOptions;
  readonly meter: ConversationMeter;
  readonly kept: KeptConversation;
}

/** What goes to the window: the conversation, or what a policy makes of it. */
function viewFor({ messages, options, meter, kept }: Stage): readonly Message[] {
  const { policy, budgetTokens, countTokens } = options;
  const [price] = cachePrices;
  if (policy.first === undefined || price === undefined) return messages;
  const fixedTokens = Object.values(meter.fixedTokens).reduce((sum, tokens) => sum + tokens, 0);
  const { tokensOf } = meter;
  const context = {
    ...{ windowTokens: budgetTokens, fixedTokens, tokensOf, countTokens, price },
    compactWindow: automaticCompaction,
  };
  return viewOfPolicy(policy.first, messages, { kept, context });
}

/**
 * Stores a conversation, and makes it fit: folded through the window, after the policy if it is another's.
 * Contract: the result is valid and within the budget; whatever is not shown as it was can be read at its address.
 * Throws: `CTX_WINDOW_OVERFLOW` naming what cannot shrink and the least budget; the codes of the store.
 */
export async function fitConversation(
  messages: readonly Message[],
  options: FitOptions,
): Promise<FittedConversation> {
  const meter = conversationMeter(options, options.countTokens);
  const tokensBefore = meter.total(messages);
  const kept = await keepConversation(options.store, messages, options);
  const view = viewFor({ messages, options, meter, kept });
  const { tokensOf, fixedTokens } = meter;
  const addressOf = addressesIn(kept, messages);
  const places = placeMessages(view, messages, Object.fromEntries(kept.pointers)).map(
    ({ place }) => place,
  );
  const fitOptions: FitMessagesOptions = {
    budgetTokens: options.budgetTokens,
    fixedTokens,
    tokensOf,
    policy: options.policy.window,
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
