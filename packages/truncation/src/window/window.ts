import type { Message } from '@ctx/core';
import { applyCompaction, applyFlush, draftFlush } from './apply-flush.ts';
import {
  type Compaction,
  type CompactionSize,
  type CompactionPlan,
  type CompactionReceipt,
  compactionReceipt,
  draftCompaction,
  planCompaction,
} from './compact.ts';
import { explainWindow, type SegmentReason } from './explain.ts';
import { receive, settle } from './receive.ts';
import { type FlushDecision, planFlush } from './plan-flush.ts';
import type { Flush, WindowEvent } from './window-event.ts';
import {
  createWindowState,
  limitTokens,
  projectedTokens,
  type WindowHost,
  type WindowState,
} from './window-state.ts';

/** What caching costs, and how long it lasts. */
export interface WindowPrice {
  /** Price of a cached token and of one that is written to the cache, relative to a plain one. */
  readonly read: number;
  readonly write: number;
  /** A prefix that was not used for longer is forgotten, ms. */
  readonly lifetimeMs: number;
}

/** How a window is opened. */
export interface WindowOptions extends WindowHost {
  readonly price: WindowPrice;
  /** Called with each event, in order, after it took effect. */
  readonly onEvent?: (event: WindowEvent) => void;
}

/** A request that fits. */
export interface WindowRequest {
  /** Contract: messages that did not change since the request before are the same objects. */
  readonly messages: readonly Message[];
  /** Estimate of its size, tokens. */
  readonly tokens: number;
  /** What left for this request. */
  readonly flush?: Flush;
}

/** The view of one conversation: an append-only log, and edits to it that are rare and priced. */
export interface Window {
  /** Takes the next message; `pointers` says where the results in it are kept, by call id. Cost: its blocks. */
  insert(message: Message, pointers?: Readonly<Record<string, string>>): void;
  /**
   * The request to send at `now` (ms since the epoch).
   * Contract: begins byte for byte with the request before, unless `flush` is there; always valid, always fits.
   * Throws: `CTX_WINDOW_OVERFLOW` where what may not be shrunk is larger than the window.
   */
  request(now: number): WindowRequest;
  /** Another model, other tools, another system prompt: the size changes, and where `isCold`, the cache is lost. */
  resize(size: {
    readonly windowTokens?: number;
    readonly fixedTokens?: number;
    readonly isCold?: boolean;
  }): void;
  /** Which messages a compaction would sum up, as they are shown now: what a summary is made from. Changes nothing. */
  planCompaction(options?: CompactionSize): CompactionPlan | undefined;
  /**
   * Puts a summary in the place of the oldest messages, with what the user said in them and a line for each call; without
   * `summary` an extract is made. The originals stay in the log, and their address in the request.
   * Contract: does nothing where the request would not be shorter, and says so. Throws: `CTX_INVALID_INPUT` where there is
   * nothing to sum up.
   */
  compact(compaction?: Compaction): CompactionReceipt;
  /** What is shown now. Contract: messages that did not change are the same objects. */
  view(): readonly Message[];
  /** Takes an event of an earlier window, with the decision that was made then. */
  apply(event: WindowEvent): void;
  /** Addresses that stand in the request in place of content. */
  pointers(): ReadonlySet<string>;
  /** Says of each segment what it is now, and why. */
  explain(): readonly SegmentReason[];
  /** Pairs moved and messages rendered so far: the work that was done. */
  readonly steps: number;
}

function isColdAt(state: WindowState, now: number, { lifetimeMs }: WindowPrice): boolean {
  const last = state.lastRequestAt;
  return state.isCold || (last !== undefined && now - last > lifetimeMs);
}

function decide(state: WindowState, now: number, price: WindowPrice): FlushDecision {
  const { queue, log } = state;
  queue.advance();
  const { leavingTokens, firstSegment } = queue;
  const isCold = isColdAt(state, now, price);
  const cold = isCold ? queue.coldPairs() : [];
  const coldLeavingTokens = cold.reduce((sum, pair) => sum + pair.savedTokens, leavingTokens);
  const behind = Number.isFinite(firstSegment) ? log.tokensFrom(firstSegment) : 0;
  return planFlush(
    {
      projectedTokens: projectedTokens(state),
      limitTokens: limitTokens(state),
      isCold,
      leavingTokens,
      coldLeavingTokens,
      survivingTokens: Math.max(0, behind - leavingTokens),
      regret: state.regret,
      price,
    },
    state.host.policy,
  );
}

type RequestedEvent = Extract<WindowEvent, { readonly type: 'requested' }>;

function draftRequest(state: WindowState, now: number, price: WindowPrice): RequestedEvent {
  const decision = decide(state, now, price);
  const { cause, regret } = decision;
  if (cause === undefined) return { type: 'requested', at: now, regret };
  return { type: 'requested', at: now, regret, flush: draftFlush(state, cause, decision) };
}

function applyEvent(state: WindowState, event: WindowEvent): void {
  if (event.type === 'received') receive(state, event.message, event.pointers);
  else if (event.type === 'settled') settle(state);
  else if (event.type === 'requested') {
    state.queue.advance();
    if (event.flush !== undefined) applyFlush(state, event.flush);
    state.regret = event.regret;
    state.lastRequestAt = event.at;
    state.isCold = false;
  } else if (event.type === 'compacted') {
    applyCompaction(state, event.epoch);
  } else {
    state.windowTokens = event.windowTokens;
    state.fixedTokens = event.fixedTokens;
    state.isCold ||= event.isCold;
  }
}

/** Opens a window with an empty log. */
export function openWindow(options: WindowOptions): Window {
  const state = createWindowState(options);
  const { price, onEvent } = options;
  const take = (event: WindowEvent): void => {
    applyEvent(state, event);
    onEvent?.(event);
  };
  return {
    insert: (message, pointers = {}) => {
      take({ type: 'received', message, pointers });
    },
    request: (now) => {
      if (settle(state)) onEvent?.({ type: 'settled' });
      const event = draftRequest(state, now, price);
      take(event);
      const { flush } = event;
      const messages = state.log.view();
      const tokens = projectedTokens(state);
      return { messages, tokens, ...(flush === undefined ? {} : { flush }) };
    },
    resize: (size) => {
      const { windowTokens = state.windowTokens, fixedTokens = state.fixedTokens } = size;
      take({ type: 'resized', windowTokens, fixedTokens, isCold: size.isCold === true });
    },
    planCompaction: (given) => planCompaction(state, given),
    compact: (compaction = {}) => {
      const event = draftCompaction(state, compaction);
      const receipt = compactionReceipt(state, event);
      if (receipt.done) take(event);
      return receipt;
    },
    view: () => state.log.view(),
    apply: (event) => {
      applyEvent(state, event);
    },
    pointers: () => new Set(state.shownPointers),
    explain: () => explainWindow(state.log),
    get steps() {
      return state.queue.steps + state.log.steps;
    },
  };
}

/**
 * Opens a window that stands where the events left off: the view after any event comes back byte for byte.
 * Contract: the same options, the same events, the same bytes. Cost: as much as inserting the messages.
 */
export function foldWindow(events: Iterable<WindowEvent>, options: WindowOptions): Window {
  const window = openWindow(options);
  for (const event of events) window.apply(event);
  return window;
}
