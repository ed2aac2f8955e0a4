import type { Message, ToolUseBlock } from '@ctx/core';
import type { DescribeCall } from '../calls/describe-call.ts';
import { type Admission, createAdmission } from './admit.ts';
import type { FixedParts } from './fixed-parts.ts';
import type { PreviewText } from './insert/plan-insert.ts';
import { createWorkWords, type WorkWords } from './insert/work-words.ts';
import { createLeaveQueue, type LeaveQueue } from './leave/leave-queue.ts';
import { type CallUses, createCallUses } from './log/call-uses.ts';
import { createLiveReads, type LiveReads } from './log/live-reads.ts';
import type { RequestParts } from './log/request-parts.ts';
import type { Pair, ThoughtfulMessage } from './log/segment.ts';
import { createWindowLog, type WindowLog } from './log/window-log.ts';
import type { CachePrediction } from './observe/cache-report.ts';
import { policyBySize } from './policy-by-size.ts';
import { limitTokensOf, type WindowPolicy } from './window-policy.ts';

/** What caching costs, and how long it lasts. */
export interface WindowPrice {
  /** Price of a cached token and of one that is written to the cache, relative to a plain one. */
  readonly read: number;
  readonly write: number;
  /** A prefix that was not used for longer is forgotten, ms. */
  readonly lifetimeMs: number;
  /** Shorter prefixes are not cached, tokens. Default 1,024. */
  readonly minimumTokens?: number;
  /** Price of a token of the answer. Default 5. */
  readonly output?: number;
}

/** What a window is told when it opens. */
export interface WindowHost {
  readonly policy: WindowPolicy;
  readonly windowTokens: number;
  /** Tokens that every request carries besides the messages: system prompt, tools, what is pinned. */
  readonly fixedTokens: number;
  /** Tokens of a message. Pure, and at least those of its blocks together. */
  readonly tokensOf: (message: Message) => number;
  readonly previewText: PreviewText;
  readonly describeCall: DescribeCall;
  /**
   * Whether lines that stand for a result name it by the place of its message in the log, `ctx://messages/26`, which is half
   * as long as the address of an output. Only where messages of the log can be read again. Default: no.
   */
  readonly namesMessages?: boolean;
  /**
   * Whether what is returned are the very objects that the window keeps, which is faster: then the caller neither changes them nor hands
   * them on. Default: no, the caller gets copies.
   */
  readonly sharesMessages?: boolean;
}

/** A call that waits for its result. */
export interface OpenCall {
  readonly call: ToolUseBlock;
  readonly segment: number;
  /** Whether its message holds blocks that providers want back with the call, such as thinking. */
  readonly isBound: boolean;
}

/** The last request as it was sent. */
export interface SentRequest {
  /** Estimate without any factor. */
  readonly tokens: number;
  readonly prediction: CachePrediction;
  /** First segment that it did not have like the one before. */
  readonly changedFrom: number;
}

/** Everything that a window remembers. Changed by what comes in and by flushes only. */
export interface WindowState {
  readonly host: WindowHost;
  /** The numbers that hold in a window of the size it has now. */
  readonly policy: () => WindowPolicy;
  readonly price: WindowPrice;
  windowTokens: number;
  fixedTokens: number;
  /** What they consist of, where that was told. */
  fixed: FixedParts | undefined;
  /** What was said last of the window's size; a refusal may have shown that it is smaller. */
  toldWindowTokens: number;
  /** How long the next answer may be, tokens; `undefined` where that is not known. */
  answerTokens: number | undefined;
  readonly log: WindowLog;
  readonly queue: LeaveQueue;
  readonly admission: Admission;
  /** What the calls of this log do to files. */
  readonly callUses: CallUses;
  readonly openCalls: Map<string, OpenCall>;
  /** Pairs by number, while they may still leave or be rested on. */
  readonly pairs: Map<number, Pair>;
  /** Messages with thinking and calls, by place: as long as the thinking is shown. */
  readonly thoughtful: Map<number, ThoughtfulMessage>;
  pairCount: number;
  /** The pair whose result is whole in view, by the fingerprint of its text. */
  readonly liveTexts: Map<string, Pair>;
  /** The newest read in view of some lines of a file. */
  readonly liveReads: LiveReads;
  /** Addresses of results that no call has yet, by the call id they came with. */
  readonly pointers: Map<string, string>;
  /** Addresses that stand in the request in place of content. */
  readonly shownPointers: Set<string>;
  turn: number;
  /** What the work is about. */
  readonly words: WorkWords;
  /** Segments that the last request had. */
  seenSegments: number;
  /** Requests that were made so far. */
  requests: number;
  regret: number;
  lastRequestAt: number | undefined;
  isCold: boolean;
  /** What estimates are multiplied with. Everything else here is without it. */
  factor: number;
  parts: RequestParts;
  sent: SentRequest | undefined;
  /** First segment that changed since the last request. */
  changedFrom: number;
  /** Requests, and compactions, in a row that made no room. */
  failures: number;
  compactionFailures: number;
  compactionRegret: number;
  /** The turn in which the last compaction was made. */
  compactedTurn: number | undefined;
}

function holdTokensOf({ holdTokens, holdShare }: WindowPolicy, windowTokens: number): number {
  return Math.min(holdTokens, holdShare * windowTokens);
}

/** Opens a state with an empty log. */
export function createWindowState(host: WindowHost & { readonly price: WindowPrice }): WindowState {
  const log = createWindowLog();
  const policyOf = policyBySize(host.policy);
  const policy = (): WindowPolicy => policyOf(state.windowTokens);
  const queue = createLeaveQueue({
    policy,
    shownTokens: (segment) => log.segments[segment]?.tokens ?? 0,
    // What the model has not seen yet is protected, however much it is.
    tokensAfter: (segment) => (segment < state.seenSegments ? log.tokensFrom(segment + 1) : 0),
    requests: () => state.requests,
    requestTokens: () => projectedTokens(state),
    price: () => state.price,
    holdTokens: () => holdTokensOf(policy(), state.windowTokens),
  });
  const state: WindowState = {
    host,
    policy,
    price: host.price,
    windowTokens: host.windowTokens,
    toldWindowTokens: host.windowTokens,
    fixedTokens: host.fixedTokens,
    fixed: undefined,
    answerTokens: undefined,
    log,
    queue,
    admission: createAdmission(),
    callUses: createCallUses(host.describeCall),
    openCalls: new Map(),
    pairs: new Map(),
    thoughtful: new Map(),
    pairCount: 0,
    liveTexts: new Map(),
    liveReads: createLiveReads(),
    pointers: new Map(),
    shownPointers: new Set(),
    turn: 0,
    words: createWorkWords(),
    seenSegments: 0,
    requests: 0,
    regret: 0,
    lastRequestAt: undefined,
    isCold: false,
    factor: 1,
    parts: {},
    sent: undefined,
    changedFrom: Infinity,
    ...noFailures,
  };
  return state;
}

const noFailures = {
  failures: 0,
  compactionFailures: 0,
  compactionRegret: 0,
  compactedTurn: undefined,
};

/** Size of the next request as it stands, tokens, without the factor. */
export function projectedTokens({ fixedTokens, log }: WindowState): number {
  return fixedTokens + log.tokensFrom(0);
}

/** What a request may have, tokens, as the provider counts. */
export function limitAsCounted({ policy, windowTokens, answerTokens }: WindowState): number {
  return limitTokensOf(policy(), windowTokens, answerTokens);
}

/** The same in estimates without the factor. */
export function limitTokens(state: WindowState): number {
  return Math.floor(limitAsCounted(state) / state.factor);
}

/** A product that is a whole number may come out above it by less than this. */
const rounding = 1e-6;

/** An estimate as the provider will count it. */
export function calibrated({ factor }: WindowState, tokens: number): number {
  return Math.ceil(tokens * factor - rounding);
}

/** Forgets what failed, because something changed that may help. */
export function forgetFailures(state: WindowState): void {
  state.failures = 0;
  state.compactionFailures = 0;
}
