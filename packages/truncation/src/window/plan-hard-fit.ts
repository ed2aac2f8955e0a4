import { type ContentBlock, CtxError, type Message, previewOf } from '@ctx/core';
import { cutPlace } from './cut-place.ts';
import type { LeaveQueue } from './leave-queue.ts';
import { plainText, type PreviewText } from './plan-insert.ts';
import type { Pair, SegmentEdit, WindowSegment } from './segment.ts';
import { cutNotice, resultStub } from './stub.ts';
import type { CutRange, WindowLog } from './window-log.ts';
import type { WindowPolicy } from './window-policy.ts';

/** What a fit that must succeed rests on. */
export interface HardFitInput {
  readonly log: WindowLog;
  readonly queue: LeaveQueue;
  readonly policy: WindowPolicy;
  /** Tokens of everything besides the messages. */
  readonly fixedTokens: number;
  /** What the request may have. */
  readonly limitTokens: number;
  readonly tokensOf: (message: Message) => number;
  readonly previewText: PreviewText;
}

/** What leaves. Plain data but for the pairs. */
export interface HardFit {
  readonly pairs: readonly Pair[];
  readonly edits: readonly SegmentEdit[];
  readonly cut?: CutRange;
}

/** Sizes to which long texts are shortened at last, characters. */
const lastSizes = [8000, 1500, 300];

/** Size to which previews are shortened, characters. */
const previewCharacters = 600;

/** A fit on its way. */
interface Fitting {
  readonly input: HardFitInput;
  /** The newest edit of each segment. */
  readonly edits: Map<number, SegmentEdit>;
  readonly pairs: Pair[];
  cut: CutRange | undefined;
  tokens: number;
}

function shownTokens(fit: Fitting, index: number): number {
  return fit.edits.get(index)?.tokens ?? fit.input.log.segments[index]?.tokens ?? 0;
}

function shownBlock(fit: Fitting, index: number): ContentBlock | undefined {
  const edit = fit.edits.get(index);
  return edit === undefined ? fit.input.log.segments[index]?.block : edit.block;
}

function change(fit: Fitting, edit: SegmentEdit): void {
  fit.tokens += edit.tokens - shownTokens(fit, edit.segment);
  fit.edits.set(edit.segment, edit);
}

function leave(fit: Fitting, pair: Pair): void {
  fit.pairs.push(pair);
  for (const edit of pair.edits) change(fit, edit);
}

/** Place of the first message of the newest unit. */
function newestUnit({ input: { log } }: Fitting): number {
  return log.messages.at(-1)?.unit ?? 0;
}

function leavePairs(fit: Fitting, lowMark: number): void {
  const { queue, log } = fit.input;
  for (const pair of queue.candidates) leave(fit, pair);
  const newest = newestUnit(fit);
  for (const pair of [...queue.held, ...queue.tailPairs()]) {
    if (fit.tokens <= lowMark) return;
    const message = log.segments[pair.callSegment]?.message ?? 0;
    if (pair.savedTokens > 0 && message < newest) leave(fit, pair);
  }
}

/** Segments of messages from `first` on that are still shown, largest first. */
function largest(fit: Fitting, first: number): number[] {
  const { messages, segments } = fit.input.log;
  const from = messages[first]?.first ?? segments.length;
  const shown = [];
  for (let index = from; index < segments.length; index += 1) {
    if (shownTokens(fit, index) > 0) shown.push(index);
  }
  return shown.sort((a, b) => shownTokens(fit, b) - shownTokens(fit, a) || a - b);
}

/** Changes a segment if that makes it shorter. */
function shrink(fit: Fitting, index: number, block: ContentBlock): void {
  const role = fit.input.log.messages[fit.input.log.segments[index]?.message ?? 0]?.role ?? 'user';
  const tokens = fit.input.tokensOf({ role, content: [block] });
  if (tokens < shownTokens(fit, index))
    change(fit, { segment: index, form: 'short', block, tokens });
}

function shrinkResults(fit: Fitting, make: (text: string, segment: WindowSegment) => string): void {
  for (const index of largest(fit, newestUnit(fit))) {
    if (fit.tokens <= fit.input.limitTokens) return;
    const block = shownBlock(fit, index);
    const segment = fit.input.log.segments[index];
    if (block?.type !== 'tool_result' || segment === undefined) continue;
    const text = make(plainText(block.content) ?? '', segment);
    // An image, or nothing at all: there is no text to take the place of.
    if (text === '') continue;
    shrink(fit, index, { ...block, content: [{ type: 'text', text }] });
  }
}

function shortenPreview(fit: Fitting, index: number): void {
  const block = shownBlock(fit, index);
  const segment = fit.input.log.segments[index];
  if (block?.type !== 'tool_result' || segment?.form !== 'preview') return;
  const preview = plainText(block.content) ?? '';
  if (preview.length <= previewCharacters) return;
  const text = shortText(preview, segment.pointer, previewCharacters);
  shrink(fit, index, { ...block, content: [{ type: 'text', text }] });
}

/** Shortens the previews that are still shown, oldest first. */
function shortenPreviews(fit: Fitting, lowMark: number): void {
  const { segments, messages, cut } = fit.input.log;
  const first = messages[cut === undefined ? 0 : cut.to + 1]?.first ?? 0;
  for (let index = first; index < segments.length && fit.tokens > lowMark; index += 1) {
    shortenPreview(fit, index);
  }
}

/** The place after the last message of the unit at `start`. */
function unitEnd({ input: { log } }: Fitting, start: number): number {
  let end = start + 1;
  while (end < log.messages.length && log.messages[end]?.unit === start) end += 1;
  return end;
}

/** Tokens of what stands for messages that were cut: the notice, and a summary that is there already. */
function standInTokens({ input: { log, tokensOf } }: Fitting, from: number, to: number): number {
  const block = { type: 'text', text: cutNotice(from, to) } as const;
  return tokensOf({ role: 'user', content: [block] }) + (log.epoch?.tokens ?? 0);
}

/** Cuts whole units behind the first user message, oldest first. The first segment of the cut stands for the notice. */
function cutUnits(fit: Fitting, lowMark: number): void {
  const { log } = fit.input;
  const { from, next: start } = cutPlace(log);
  const newest = newestUnit(fit);
  const tokens = standInTokens(fit, from, newest);
  const segment = log.messages[from]?.first ?? 0;
  const form = log.epoch === undefined ? 'cut' : 'summarised';
  let next = start;
  while (next < newest && fit.tokens > lowMark) {
    const end = unitEnd(fit, next);
    for (let message = next; message < end; message += 1) cutMessage(fit, message);
    change(fit, { segment, form, tokens });
    next = end;
  }
  if (next > start) fit.cut = { from, to: next - 1 };
}

function cutMessage(fit: Fitting, index: number): void {
  const message = fit.input.log.messages[index];
  if (message === undefined) return;
  for (let segment = message.first; segment < message.end; segment += 1) {
    change(fit, { segment, form: 'cut', tokens: 0 });
  }
}

function shortText(text: string, pointer: string, maxCharacters: number): string {
  return `${previewOf(text, { maxCharacters })}\n[ctx: shortened; whole at ${pointer}]`;
}

/** What has to stay of a text: the line above a part holds the address of the input. */
function lineToKeep({ block, edit }: WindowSegment): string {
  const isPart = edit?.form === 'part' && block?.type === 'text';
  return isPart ? block.text.slice(0, block.text.indexOf('\n') + 1) : '';
}

function shortened(segment: WindowSegment, size: number): ContentBlock | undefined {
  const { block, pointer } = segment;
  if (block?.type === 'text') {
    const kept = lineToKeep(segment);
    const rest = block.text.slice(kept.length);
    return { type: 'text', text: kept + shortText(rest, pointer, size) };
  }
  if (block?.type === 'tool_use')
    return { ...block, input: { ctx: `the input is kept at ${pointer}` } };
  if (block?.type !== 'opaque' || size > 300) return undefined;
  return { type: 'text', text: `[ctx: ${block.format} is kept at ${pointer}]` };
}

function shortenTo(fit: Fitting, index: number, size: number): void {
  const segment = fit.input.log.segments[index];
  if (segment?.block === undefined || shownBlock(fit, index) === undefined) return;
  const block = shortened(segment, size);
  if (block !== undefined) shrink(fit, index, block);
}

/** Shortens the newest message and the task, largest first, further each time. */
function shrinkTexts(fit: Fitting): void {
  for (const size of lastSizes) {
    for (const index of largest(fit, 0)) {
      if (fit.tokens <= fit.input.limitTokens) return;
      shortenTo(fit, index, size);
    }
  }
}

/** Leaves the summary out, too: its messages have an address still. */
function dropEpoch(fit: Fitting): void {
  const { log, tokensOf } = fit.input;
  const { epoch } = log;
  const segment = log.messages[epoch?.from ?? -1]?.first;
  const range = fit.cut ?? log.cut;
  if (epoch === undefined || segment === undefined || range === undefined) return;
  const text = cutNotice(range.from, range.to);
  const tokens = tokensOf({ role: 'user', content: [{ type: 'text', text }] });
  if (tokens >= shownTokens(fit, segment)) return;
  change(fit, { segment, form: 'cut', tokens });
  fit.cut = { ...range, dropsEpoch: true };
}

/** Names what is too large. */
function overflow(fit: Fitting): CtxError {
  const { fixedTokens, limitTokens, log } = fit.input;
  const parts = largest(fit, 0).slice(0, 3);
  const named = parts.map((index) => {
    const message = log.segments[index]?.message ?? 0;
    return `message ${String(message)} (${String(shownTokens(fit, index))} tokens)`;
  });
  const all = [`system and tools (${String(fixedTokens)} tokens)`, ...named].join(', ');
  return new CtxError(
    'CTX_WINDOW_OVERFLOW',
    `a request of ${String(fit.tokens)} tokens does not fit ${String(limitTokens)}; the biggest parts: ${all}`,
  );
}

function steps(fit: Fitting): (() => void)[] {
  const { policy, limitTokens, previewText, log } = fit.input;
  const lowMark = limitTokens * policy.lowMarkShare;
  const newestTokens = log.tokensFrom(log.messages[newestUnit(fit)]?.first ?? 0);
  const preview = (text: string, { pointer, tokens }: WindowSegment): string =>
    tokens <= policy.offloadFromTokens
      ? text
      : previewText({ text, pointer, tokens, previewTokens: policy.previewTokens });
  const previewNewest = (): void => {
    shrinkResults(fit, preview);
  };
  return [
    () => {
      leavePairs(fit, lowMark);
    },
    () => {
      shortenPreviews(fit, lowMark);
    },
    ...(newestTokens > limitTokens / 2 ? [previewNewest] : []),
    () => {
      cutUnits(fit, lowMark);
    },
    previewNewest,
    () => {
      shrinkResults(fit, (_text, { pointer }) => resultStub(pointer));
    },
    () => {
      dropEpoch(fit);
    },
    () => {
      shrinkTexts(fit);
    },
  ];
}

/**
 * Makes a request fit without any model: what left the tail goes, then what is held and in the tail, then most of the previews,
 * then whole units, then results of the newest message, then a summary, then long texts. The newest unit and the task stay, shortened where they must.
 * Contract: pure; what is planned fits `limitTokens`. Cost: the pairs in the tail; where that does not suffice, the log.
 * Throws: `CTX_WINDOW_OVERFLOW` naming the biggest parts.
 */
export function planHardFit(input: HardFitInput): HardFit {
  const tokens = input.fixedTokens + input.log.tokensFrom(0);
  const fit: Fitting = { input, edits: new Map(), pairs: [], cut: undefined, tokens };
  // Just under the limit the next request would be over it again.
  const enough = (input.limitTokens * (1 + input.policy.lowMarkShare)) / 2;
  for (const step of steps(fit)) {
    step();
    if (fit.tokens <= enough) break;
  }
  if (fit.tokens > input.limitTokens) throw overflow(fit);
  const { pairs, cut } = fit;
  return { pairs, edits: [...fit.edits.values()], ...(cut === undefined ? {} : { cut }) };
}
