import type { Message, ToolResultBlock } from '@ctx/core';
import type { FixedParts } from './fixed-parts.ts';
import type { RequestParts } from './log/request-parts.ts';
import type { FlushCause, InsertForm, SegmentEdit } from './log/segment.ts';
import type { CutRange, Epoch } from './log/window-log.ts';
import type { CacheMiss } from './observe/cache-report.ts';

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
  /** What it costs to write anew what stood after, in tokens at the plain price. */
  readonly penalty: number;
}

/** What was decided about a block when it came in, so that it is never decided anew. Plain data. */
export interface SegmentRecord {
  readonly givenTokens: number;
  /** Fingerprint of a result's text. */
  readonly print?: string;
  /** What it became, where it did not stay whole: the form, what is shown unless the form says it, and its tokens. */
  readonly form?: Exclude<InsertForm, 'whole'>;
  readonly block?: ToolResultBlock;
  readonly tokens?: number;
  /** Number of the pair whose lines it leaves out. */
  readonly restsOn?: number;
  /** The file that its lines showed, where its call does not tell. */
  readonly found?: string;
}

/** `message` as it came; `pointers` says where the results in it are kept, by call id. */
export interface ReceivedEvent {
  readonly type: 'received';
  readonly message: Message;
  readonly pointers: Readonly<Record<string, string>>;
  /** What became of each block that went into the log for it. Without, it is decided anew. */
  readonly segments?: readonly SegmentRecord[];
  /** What the caller knows the message by. */
  readonly key?: string;
}

/** A request that was sent from the log as it stands, without the window deciding it. */
export interface SentElsewhere {
  /** ms since the epoch. */
  readonly at: number;
  readonly parts: RequestParts;
}

/** A request was made: what it decided. */
export interface RequestedEvent {
  readonly type: 'requested';
  /** ms since the epoch. */
  readonly at: number;
  readonly regret: number;
  /** What not having compacted has cost so far, in tokens at the plain price. Default 0. */
  readonly compactionRegret?: number;
  readonly parts?: RequestParts;
  readonly flush?: Flush;
}

/**
 * One entry of a window's log. The window is a fold over them. Plain data, ready for an event log. Every decision stands in
 * it, so that another version of this program, with other numbers, gives the same bytes.
 */
export type WindowEvent =
  | ReceivedEvent
  /** What waited for results that did not come went into the log, and placeholders for them. */
  | { readonly type: 'settled'; readonly segments?: readonly SegmentRecord[] }
  | RequestedEvent
  | {
      readonly type: 'resized';
      readonly windowTokens: number;
      readonly fixedTokens: number;
      /** What the fixed tokens consist of; absent where only their sum is known. */
      readonly fixed?: FixedParts;
      /** How long the answer may be; absent where that is not known. */
      readonly answerTokens?: number;
      /** Whether the cache is lost, as with another model or other tools. */
      readonly isCold: boolean;
      /** The log went out as it stands. */
      readonly sent?: SentElsewhere;
    }
  /** The oldest messages gave way to a summary; the originals stay in the log. */
  | {
      readonly type: 'compacted';
      readonly epoch: Epoch;
      readonly beforeTokens: number;
      readonly afterTokens: number;
    }
  /** The provider reported what a request really had; `factor` is what estimates are multiplied with from now on. */
  | {
      readonly type: 'observed';
      readonly inputTokens: number;
      readonly cachedTokens?: number;
      readonly hourTokens?: number;
      readonly outputTokens?: number;
      readonly factor: number;
    }
  /** Less was read from the provider's cache than the request before had put there. */
  | ({ readonly type: 'cache-miss' } & CacheMiss)
  /** The provider refused a request as too long. */
  | {
      readonly type: 'overflowed';
      readonly factor: number;
      readonly windowTokens: number;
      readonly failures: number;
    }
  /** A pass made no room. */
  | { readonly type: 'failed'; readonly what: 'request' | 'compaction'; readonly failures: number }
  /** Somebody said to try again. */
  | { readonly type: 'reset' }
  /** The log goes on from an earlier event; what came since is not part of the view. */
  | {
      readonly type: 'rewound';
      /** Place of that event in the log. */
      readonly to: number;
      /** Whether the cache holds nothing of use. */
      readonly isCold: boolean;
      /** First segment that the last request before did not have like this. */
      readonly changedFrom: number;
      readonly lastRequestAt?: number;
      /** What was told and learned stays: the model and its tokenizer are those of now. */
      readonly windowTokens: number;
      readonly toldWindowTokens: number;
      readonly answerTokens?: number;
      readonly fixedTokens: number;
      readonly fixed?: FixedParts;
      readonly factor: number;
    }
  /** A name for the moment. */
  | { readonly type: 'checkpoint'; readonly name: string; readonly at: number }
  /** The log began as a copy of another session's. */
  | {
      readonly type: 'forked';
      readonly sessionId: string;
      readonly to: number;
      readonly at: number;
    };
