import type { ContentBlock, Message } from '@ctx/core';
import type { PreviewText } from '../insert/plan-insert.ts';
import type { LeaveQueue } from '../leave/leave-queue.ts';
import type { Pair, SegmentEdit } from '../log/segment.ts';
import type { CutRange, WindowLog } from '../log/window-log.ts';
import type { WindowPolicy } from '../window-policy.ts';

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

/** A fit on its way. */
export interface Fitting {
  readonly input: HardFitInput;
  /** The newest edit of each segment. */
  readonly edits: Map<number, SegmentEdit>;
  readonly pairs: Pair[];
  cut: CutRange | undefined;
  tokens: number;
}

/** Tokens of a segment as the fit shows it so far. */
export function shownTokens(fit: Fitting, index: number): number {
  return fit.edits.get(index)?.tokens ?? fit.input.log.segments[index]?.tokens ?? 0;
}

/** What the fit shows of a segment so far. */
export function shownBlock(fit: Fitting, index: number): ContentBlock | undefined {
  const edit = fit.edits.get(index);
  return edit === undefined ? fit.input.log.segments[index]?.block : edit.block;
}

/** Shows a segment as the edit says. */
export function change(fit: Fitting, edit: SegmentEdit): void {
  fit.tokens += edit.tokens - shownTokens(fit, edit.segment);
  fit.edits.set(edit.segment, edit);
}

/** Place of the first message of the newest unit. */
export function newestUnit({ input: { log } }: Fitting): number {
  return log.messages.at(-1)?.unit ?? 0;
}

/** Segments of messages from `first` on that are still shown, largest first. */
export function largest(fit: Fitting, first: number): number[] {
  const { messages, segments } = fit.input.log;
  const from = messages[first]?.first ?? segments.length;
  const shown = [];
  for (let index = from; index < segments.length; index += 1) {
    if (shownTokens(fit, index) > 0) shown.push(index);
  }
  return shown.sort((a, b) => shownTokens(fit, b) - shownTokens(fit, a) || a - b);
}

/** Changes a segment if that makes it shorter. */
export function shrink(fit: Fitting, index: number, block: ContentBlock): void {
  const role = fit.input.log.messages[fit.input.log.segments[index]?.message ?? 0]?.role ?? 'user';
  const tokens = fit.input.tokensOf({ role, content: [block] });
  if (tokens < shownTokens(fit, index))
    change(fit, { segment: index, form: 'short', block, tokens });
}
