import type { ContentBlock } from '@ctx/core';
import { compressorOf } from '../insert/offload-text.ts';
import type { EditCause, EditForm, InsertForm, WindowSegment } from './log/segment.ts';
import type { WindowLog } from './log/window-log.ts';

/** What a segment is in the next request, and why. */
export interface SegmentReason {
  readonly segment: number;
  /** Place of its message in the log. */
  readonly message: number;
  readonly form: InsertForm | EditForm;
  readonly cause?: EditCause;
  /** One sentence for people. */
  readonly why: string;
  /** Tokens as it came in, and as it is shown. */
  readonly givenTokens: number;
  readonly tokens: number;
  readonly pointer: string;
}

/** What each form means, for people. Every form stands here. */
export const insertWhy: Readonly<Record<InsertForm, string>> = {
  whole: 'in the window, unchanged',
  thin: 'in the window, with a number on every tenth line only',
  normalised: 'shown without colours, progress bars and repeated lines',
  same: 'the same content is already in the window',
  diff: 'only what changed since the last read',
  overlap: 'only the lines that were not in the window yet',
  preview: 'too large on arrival: a preview with a pointer',
};

/** The same of what became of content later. */
export const editWhy: Readonly<Record<EditForm, string>> = {
  ledger: 'evicted with its call: one line remains',
  stub: 'evicted: its call and a short stub remain',
  part: 'evicted except for its most telling lines',
  gone: 'evicted with its result: one line remains there',
  short: 'shortened, because nothing else could make room',
  cut: 'its messages were removed',
  summarised: 'its messages were summarized',
};

const causeWhy: Readonly<Record<EditCause, string>> = {
  hard: 'the window was full',
  free: 'the cache was cold, so it cost nothing',
  economic: 'it was cheaper to evict than to keep',
  compaction: 'the conversation was compacted',
};

/** What made the text that stands for a large result. */
function compressorWhy(block: ContentBlock | undefined): string | undefined {
  const part = block?.type === 'tool_result' ? block.content[0] : undefined;
  const kind = part?.type === 'text' ? compressorOf(part.text) : undefined;
  return kind && `too large on arrival: shortened by the compressor for "${kind}", with a pointer`;
}

function explainSegment(segment: WindowSegment, index: number): SegmentReason {
  const { edit, form, message, givenTokens, tokens, pointer } = segment;
  const why = edit
    ? `${editWhy[edit.form]}; ${causeWhy[edit.cause]}`
    : (compressorWhy(segment.block) ?? insertWhy[form]);
  return { segment: index, message, form, ...edit, why, givenTokens, tokens, pointer };
}

function isStill(known: SegmentReason, segment: WindowSegment): boolean {
  const { edit, form, message, givenTokens, tokens, pointer } = segment;
  const isSame = known.pointer === pointer && known.message === message;
  const isShown = known.form === (edit?.form ?? form) && known.cause === edit?.cause;
  return isSame && isShown && known.tokens === tokens && known.givenTokens === givenTokens;
}

/**
 * Says of each segment of the log what became of it. Reads the log. `before`: what was said of the same log earlier; what holds still is the
 * same object.
 */
export function explainWindow(
  { segments }: WindowLog,
  before: readonly SegmentReason[] = [],
): SegmentReason[] {
  return segments.map((segment, index) => {
    const known = before[index];
    return known !== undefined && isStill(known, segment) ? known : explainSegment(segment, index);
  });
}
