import { CtxError } from '@ctx/core';
import { afterUnshown, cutPlace, unitEnd } from '../compact/cut-place.ts';
import { cutNotice, resultStub } from '../leave/stub.ts';
import type { Pair, SegmentEdit, WindowSegment } from '../log/segment.ts';
import type { CutRange } from '../log/window-log.ts';
import {
  change,
  type Fitting,
  type HardFitInput,
  largest,
  newestUnit,
  shownTokens,
} from './hard-fitting.ts';
import { shortenPreviews, shrinkResults, shrinkTexts } from './shorten-texts.ts';

/** What leaves. Plain data but for the pairs. */
export interface HardFit {
  readonly pairs: readonly Pair[];
  readonly edits: readonly SegmentEdit[];
  readonly cut?: CutRange;
}

function leave(fit: Fitting, pair: Pair): void {
  fit.pairs.push(pair);
  for (const edit of pair.edits) change(fit, edit);
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

/** Tokens of what stands for messages that were cut: the notice, and a summary that is there already. */
function standInTokens({ input: { log, tokensOf } }: Fitting, from: number, to: number): number {
  const block = { type: 'text', text: cutNotice(from, to) } as const;
  return tokensOf({ role: 'user', content: [block] }) + (log.epoch?.tokens ?? 0);
}

/** Cuts whole units after the first user message, oldest first. The first segment of the cut stands for the notice. */
function cutUnits(fit: Fitting, lowMark: number): void {
  const { log } = fit.input;
  const { from, next: start } = cutPlace(log);
  const newest = newestUnit(fit);
  const tokens = standInTokens(fit, from, newest);
  const segment = log.messages[from]?.first ?? 0;
  const form = log.epoch === undefined ? 'cut' : 'summarised';
  let next = start;
  while (next < newest && fit.tokens > lowMark) {
    const end = afterUnshown(log, unitEnd(log, next), (index) => shownTokens(fit, index));
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

/** A preview of so many tokens and no more. */
function strictly(previewTokens: number) {
  return { previewTokens, maxTokens: previewTokens };
}

function steps(fit: Fitting): (() => void)[] {
  const { policy, limitTokens, previewText, log } = fit.input;
  const lowMark = limitTokens * policy.lowMarkShare;
  const newestTokens = log.tokensFrom(log.messages[newestUnit(fit)]?.first ?? 0);
  const preview = (text: string, { pointer, tokens }: WindowSegment): string =>
    tokens <= policy.offloadFromTokens
      ? text
      : previewText({ text, pointer, tokens, ...strictly(policy.previewTokens) });
  const previewNewest = (): void => {
    shrinkResults(fit, preview);
  };
  /** In a small window what is shown whole elsewhere is shown in part, before nothing of it is. */
  const smallTokens = Math.min(policy.previewTokens, Math.floor(limitTokens / 4));
  const previewSmall = (text: string, { pointer, tokens }: WindowSegment): string =>
    tokens <= smallTokens ? text : previewText({ text, pointer, tokens, ...strictly(smallTokens) });
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
      shrinkResults(fit, previewSmall);
    },
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
 * then whole units, then results of the newest message, then a summary, then long texts. The newest unit and the task stay, shortened where
 * they must.
 * Pure; what is planned fits `limitTokens`. Goes through the pairs in the tail; if that does not suffice, through the log.
 * @throws `CTX_WINDOW_OVERFLOW` naming the biggest parts.
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
