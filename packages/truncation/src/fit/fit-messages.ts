import { type ContentBlock, checkMessages, isCtxError, type Message } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { describeCall } from '../calls/describe-call.ts';
import type { SegmentReason } from '../window/explain.ts';
import { previewTexts } from '../window/insert/plain-preview.ts';
import { openWindow, type Window } from '../window/window.ts';
import { equalTails, type WindowPolicy, windowPolicy } from '../window/window-policy.ts';
import { addressing } from './addressed-blocks.ts';
import { type AddressOf, type FitMessagesOptions, fixedTotal } from './fit-options.ts';
import { lastResort } from './last-resort.ts';
import { type PlacedMessage, placeMessages } from './place-messages.ts';

/** What became of one block. */
export interface FittedPart
  extends Pick<SegmentReason, 'form' | 'cause' | 'why' | 'givenTokens' | 'tokens' | 'pointer'> {
  /** Index of its message in the given list, and of the block in its content. */
  readonly message: number;
  readonly block: number;
}

type FittedPlace = Pick<FittedPart, 'message' | 'block'>;

/** A conversation within its budget. */
export interface FittedMessages {
  readonly messages: readonly PlacedMessage[];
  /** Tokens of the whole request before and after. */
  readonly tokensBefore: number;
  readonly tokens: number;
  /** Every block that was given, in order: what it is now, why, and where it can be read. */
  readonly parts: readonly FittedPart[];
}

const defaultAddress: AddressOf = (from, to) =>
  from === to ? `ctx://messages/${String(from)}` : `ctx://messages/${String(from)}-${String(to)}`;

/** The policy of one fit: the whole budget may be used, and the oldest leaves first. */
function fitPolicy({ policy, tails, budgetTokens }: FitMessagesOptions): WindowPolicy {
  const given = policy ?? windowPolicy('default', { lowMarkShare: 1 });
  const kept = { ...equalTails(budgetTokens), ...tails };
  return { ...given, ...kept, reserveTokens: 0, hardCapShare: 1, smallWindow: undefined };
}

/** Where each result is kept, by call id: ids come from models, `constructor` is one like any other. */
function keptResults(
  given: readonly Message[],
  { pointers = {} }: FitMessagesOptions,
  addressOf: AddressOf,
): Map<string, string> {
  const calls = new Map<string, number>();
  const kept = new Map<string, string>();
  for (const [place, { content }] of given.entries()) {
    for (const block of content) {
      if (block.type === 'tool_use') calls.set(block.id, place);
      if (block.type !== 'tool_result') continue;
      const id = block.toolUseId;
      const own = Object.hasOwn(pointers, id) ? pointers[id] : undefined;
      kept.set(id, own ?? addressOf(calls.get(id) ?? place, place));
    }
  }
  return kept;
}

function resultPointers({ content }: Message, kept: ReadonlyMap<string, string>) {
  const entries = content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const pointer = kept.get(block.toolUseId);
    return pointer === undefined ? [] : [[block.toolUseId, pointer] as const];
  });
  return Object.fromEntries(entries);
}

interface Fit {
  readonly given: readonly Message[];
  readonly options: FitMessagesOptions;
  readonly addressOf: AddressOf;
  /** Where the results are kept, by call id. */
  readonly kept: ReadonlyMap<string, string>;
  /** Puts the addresses of the caller into what the window made. */
  readonly addressed: (message: Message) => Message;
}

function fitOf(given: readonly Message[], options: FitMessagesOptions): Fit {
  const { addressOf = defaultAddress } = options;
  const kept = keptResults(given, options, addressOf);
  return { given, options, addressOf, kept, addressed: addressing(given, addressOf) };
}

/** Folds the conversation into a window with room for twice its tokens, so that nothing leaves before all of it is in. */
function foldWhole({ given, options, kept, addressed }: Fit, tokensBefore: number): Window {
  const window = openWindow({
    policy: fitPolicy(options),
    windowTokens: 2 * tokensBefore,
    fixedTokens: fixedTotal(options),
    // As long as it will be with the addresses of the caller.
    tokensOf: (message) => options.tokensOf(addressed(message)),
    previewText: options.previewText ?? previewTexts({ readHint: () => '' }),
    describeCall: options.describeCall ?? describeCall,
    price: { read: 1, write: 1, lifetimeMs: 1 },
    sharesMessages: true,
  });
  for (const message of given) window.insert(message, resultPointers(message, kept));
  return window;
}

/** The messages as the window makes them fit; `undefined` where the newest unit alone is too large. */
function hardFit({ options, addressed }: Fit, window: Window): readonly Message[] | undefined {
  window.resize({ windowTokens: options.budgetTokens });
  try {
    const { messages } = window.request(0);
    return messages.map(addressed);
  } catch (error) {
    if (isCtxError(error, 'CTX_WINDOW_OVERFLOW')) return undefined;
    throw error;
  }
}

function placesOf(given: readonly Message[]): FittedPlace[] {
  return given.flatMap(({ content }, message) =>
    content.map((_block, block) => ({ message, block })),
  );
}

/** Where a block can be read: a result on its own, all else with its message. */
function pointerOf({ given, kept, addressOf }: Fit, { message, block }: FittedPlace): string {
  const found = given[message]?.content[block];
  const own = found?.type === 'tool_result' ? kept.get(found.toolUseId) : undefined;
  return own ?? addressOf(message, message);
}

function partsOf(fit: Fit, window: Window): FittedPart[] {
  const reasons = window.explain();
  return placesOf(fit.given).flatMap((place, index): FittedPart[] => {
    const reason = reasons[index];
    if (reason === undefined) return [];
    const { form, cause, why, givenTokens, tokens } = reason;
    const pointer = pointerOf(fit, place);
    return [{ ...place, form, why, givenTokens, tokens, pointer, ...(cause && { cause }) }];
  });
}

/** The parts of a conversation that fits as it is. */
function wholeParts(fit: Fit): FittedPart[] {
  return placesOf(fit.given).flatMap((place): FittedPart[] => {
    const message = fit.given[place.message];
    const block = message?.content[place.block];
    if (message === undefined || block === undefined) return [];
    const tokens = fit.options.tokensOf({ role: message.role, content: [block] });
    const pointer = pointerOf(fit, place);
    const why = 'in the window, unchanged';
    return [{ ...place, form: 'whole', why, givenTokens: tokens, tokens, pointer }];
  });
}

function leavesAll(fit: Fit, parts: readonly FittedPart[], shown: Message): FittedPart[] {
  const blocks = new Set<ContentBlock>(shown.content);
  return parts.map((part) => {
    const block = fit.given[part.message]?.content[part.block];
    if (block !== undefined && blocks.has(block)) return part;
    const why = 'left with the conversation: even the newest exchange is too large';
    return { ...part, form: 'cut', cause: 'hard', why, tokens: 0 };
  });
}

function sum({ options }: Fit, messages: readonly Message[]): number {
  return messages.reduce((all, each) => all + options.tokensOf(each), fixedTotal(options));
}

/**
 * Makes a valid conversation fit a budget, once: folded through a window of that size. The oldest calls and results leave
 * for a line or a stub, then whole units for a notice, then long texts are shortened; where even the newest exchange is too
 * large, one message stays that says where everything is.
 * Pure; the messages given are not changed; the result is valid and at most `budgetTokens`; what is returned
 * shares no object with what was given. Everything that is not shown as it was is a part with another form than `whole`, and its pointer
 * stands in it.
 * Takes time linear in the blocks, each counted a few times.
 * @throws `CTX_WINDOW_OVERFLOW` naming the parts that cannot shrink and the least budget that works.
 */
export function fitMessages(
  messages: readonly Message[],
  options: FitMessagesOptions,
): FittedMessages {
  checkMessages(messages);
  const fitted = fitGiven(messages, options);
  return { ...fitted, messages: copyData(fitted.messages) };
}

function fitGiven(messages: readonly Message[], options: FitMessagesOptions): FittedMessages {
  const fit = fitOf(messages, options);
  const tokensBefore = sum(fit, messages);
  if (tokensBefore <= options.budgetTokens) {
    const same = messages.map((message, place) => ({ message, place }));
    return { messages: same, tokensBefore, tokens: tokensBefore, parts: wholeParts(fit) };
  }
  const window = foldWhole(fit, tokensBefore);
  const fitted = hardFit(fit, window);
  if (fitted !== undefined && sum(fit, fitted) <= options.budgetTokens) {
    const placed = placeMessages(fitted, messages, Object.fromEntries(fit.kept));
    return {
      messages: placed,
      tokensBefore,
      tokens: sum(fit, fitted),
      parts: partsOf(fit, window),
    };
  }
  const all = fit.addressOf(0, Math.max(0, messages.length - 1));
  const { message, place } = lastResort(messages, options, all);
  const parts = leavesAll(fit, partsOf(fit, window), message);
  return { messages: [{ message, place }], tokensBefore, tokens: sum(fit, [message]), parts };
}
