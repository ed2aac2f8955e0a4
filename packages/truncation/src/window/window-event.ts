import type { Message } from '@ctx/core';
import type { FlushCause } from './plan-flush.ts';
import type { SegmentEdit } from './segment.ts';
import type { CutRange, Epoch } from './window-log.ts';

/** One edit pass: what left, and why. Plain data. */
export interface Flush {
  readonly cause: FlushCause;
  readonly edits: readonly SegmentEdit[];
  /** The calls that left with their results, by number. */
  readonly pairs: readonly number[];
  readonly cut?: CutRange;
  /** Tokens of the request before and after. */
  readonly beforeTokens: number;
  readonly afterTokens: number;
  /** What it costs to write anew what stood behind, in tokens at the plain price. */
  readonly penalty: number;
}

/**
 * One entry of a window's log. The window is a fold over them. Plain data, ready for an event log.
 * `received` holds the message as it came; `pointers` where the results in it are kept, by call id.
 */
export type WindowEvent =
  | {
      readonly type: 'received';
      readonly message: Message;
      readonly pointers: Readonly<Record<string, string>>;
    }
  /** What waited for results that did not come went into the log, and placeholders for them. */
  | { readonly type: 'settled' }
  | {
      readonly type: 'requested';
      /** ms since the epoch. */
      readonly at: number;
      readonly regret: number;
      readonly flush?: Flush;
    }
  | {
      readonly type: 'resized';
      readonly windowTokens: number;
      readonly fixedTokens: number;
      /** Whether the cache is lost, as with another model or other tools. */
      readonly isCold: boolean;
    }
  /** The oldest messages gave way to a summary; the originals stay in the log. */
  | {
      readonly type: 'compacted';
      readonly epoch: Epoch;
      readonly beforeTokens: number;
      readonly afterTokens: number;
    };
