import { checkMessages, type Message } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { factorAfterRefusal } from '@ctx/tokens';
import { type Overflow, overflowOf } from '../overflow/overflow.ts';
import { applyEvent } from './apply-event.ts';
import {
  type CompactionSize,
  compactionReceipt,
  draftCompaction,
  planWindowCompaction,
  type WindowCompaction,
  type WindowCompactionPlan,
  type WindowCompactionReceipt,
} from './compact/compact-window.ts';
import { type CompactionMoment, planCompactionMoment } from './compact/plan-compaction-moment.ts';
import { explainWindow, type SegmentReason } from './explain.ts';
import { fitsByStubs } from './fit/fits-by-stubs.ts';
import { fixedPartsOf, type GivenFixed } from './fixed-parts.ts';
import { settle } from './insert/receive.ts';
import { pathOf } from './log/log-path.ts';
import type { RequestParts } from './log/request-parts.ts';
import {
  draftObservation,
  type ObservedUsage,
  type UsageReport,
} from './observe/draft-observation.ts';
import { checkBreaker, compactionMeasures, draftRequest, failureOf } from './prepare.ts';
import type { Flush, RequestedEvent, SentElsewhere, WindowEvent } from './window-event.ts';
import {
  calibrated,
  createWindowState,
  projectedTokens,
  type WindowHost,
  type WindowPrice,
  type WindowState,
} from './window-state.ts';

/** How a window is opened. */
export interface WindowOptions extends WindowHost {
  readonly price: WindowPrice;
  /** Called with each event, in order, after it took effect. */
  readonly onEvent?: (event: WindowEvent) => void;
}

/** A request that fits. */
export interface WindowRequest {
  /** Copies; with `sharesMessages` those that did not change since the request before are the same objects. */
  readonly messages: readonly Message[];
  /** Estimate of its size, tokens. */
  readonly tokens: number;
  /** What left for this request. */
  readonly flush?: Flush;
}

/** The size that something has now. */
export interface WindowSizes {
  readonly windowTokens?: number;
  readonly fixedTokens?: number;
  /** What the fixed tokens consist of, where that is known: kept with their sum, and changes nothing. */
  readonly fixed?: GivenFixed;
  /** How long the answer may be, such as `max_tokens`: that much room is left where it is more than usual. `undefined`: not known. */
  readonly answerTokens?: number | undefined;
  /** Whether the provider's cache is lost. Default false. */
  readonly isCold?: boolean;
  /** The view went out as it is in a request that this window did not make: the provider's cache has it since. */
  readonly sent?: SentElsewhere;
}

/** The view of one conversation: an append-only log, and edits to it that are rare and priced. */
export interface Window {
  /**
   * Takes the next message; `pointers` says where the results in it are kept, by call id; `key` is what the caller knows it by.
   * Goes through its blocks.
   */
  insert(message: Message, pointers?: Readonly<Record<string, string>>, key?: string): void;
  /**
   * The request to send at `now` (ms since the epoch). `parts` names the model, tools and system prompt that it goes with: where
   * one of them changed, the cache is cold.
   * Begins byte for byte with the request before, unless `flush` is there; always valid, always fits.
   * @throws `CTX_WINDOW_OVERFLOW` where what may not be shrunk is larger than the window; after three of these, or three refusals, in a row
   * `CTX_WINDOW_STUCK`, until the user speaks, the sizes change or `reset` is called.
   */
  request(now: number, parts?: RequestParts): WindowRequest;
  /** Another model, other tools, another system prompt: the size changes, and where `isCold`, the cache is lost. */
  resize(size: WindowSizes): void;
  /** Learns from what the provider reported of the last request: how far estimates are off, and what it had cached. */
  observe(usage: ObservedUsage): UsageReport;
  /**
   * Takes an error of the provider. Where it says that the request was too long, estimates are scaled up, to the size that it
   * names where it does, so that the next request has to make room; any other error changes nothing.
   */
  overflowed(error: unknown): Overflow | undefined;
  /** Lets requests be tried again after `CTX_WINDOW_STUCK`. */
  reset(): void;
  /** Whether a compaction pays now, and why, or why not. `summaryTokens`: the size that a summary will have, 3,000 if left out. */
  compactionMoment(summaryTokens?: number): CompactionMoment;
  /** Which messages a compaction would sum up, as they are shown now: what a summary is made from. Changes nothing. */
  planCompaction(size?: CompactionSize): WindowCompactionPlan | undefined;
  /**
   * Puts a summary in the place of the oldest messages, with what the user said in them and a line for each call. With `plan`,
   * exactly the messages of that plan leave: what came since stays. The originals stay in the log, and their address in the request.
   * Does nothing where the request would not be shorter, and says so.
   * @throws `CTX_INVALID_INPUT` where there is nothing to sum up or the plan does not hold any more; after three in a row that made no room
   * `CTX_WINDOW_STUCK`, as for requests.
   */
  compact(compaction: WindowCompaction): WindowCompactionReceipt;
  /** What is shown now. Nothing that is done to it reaches the window, unless it `sharesMessages`. */
  view(): readonly Message[];
  /** Takes an event of an earlier window, with the decision that was made then. */
  apply(event: WindowEvent): void;
  /** Addresses that stand in the request in place of content. */
  pointers(): ReadonlySet<string>;
  /** Says of each segment what it is now, and why. What holds since it was last asked is the same object. */
  explain(): readonly SegmentReason[];
  /** Pairs moved and messages rendered so far: the work that was done. */
  readonly steps: number;
}

/** Lets an event take effect, and tells of it, with what was decided on the way. */
function take(state: WindowState, event: WindowEvent, onEvent: WindowOptions['onEvent']): void {
  const segments = applyEvent(state, event);
  if (onEvent === undefined) return;
  onEvent(event.type === 'received' ? { ...event, segments } : event);
}

function draftOrFail(
  state: WindowState,
  draft: () => RequestedEvent,
  onEvent: WindowOptions['onEvent'],
): RequestedEvent {
  try {
    return draft();
  } catch (error) {
    const failure = failureOf(state, error);
    if (failure !== undefined) take(state, failure, onEvent);
    throw error;
  }
}

/** What a caller gets of what the window keeps. */
function handedOut<Value>({ host }: WindowState, value: Value): Value {
  return host.sharesMessages === true ? value : copyData(value);
}

function requestOf(state: WindowState, { flush }: RequestedEvent): WindowRequest {
  const tokens = calibrated(state, projectedTokens(state));
  const isFlushed = flush === undefined ? {} : { flush };
  return handedOut(state, { messages: state.log.view(), tokens, ...isFlushed });
}

/** What a refusal changes. */
function refusalEvent(state: WindowState, overflow: Overflow): WindowEvent {
  const { reportedTokens, limitTokens } = overflow;
  const windowTokens = Math.min(state.windowTokens, limitTokens ?? Infinity);
  const estimatedTokens = state.sent?.tokens ?? projectedTokens(state);
  const reported = reportedTokens === undefined ? {} : { reportedTokens };
  const refusal = { estimatedTokens, windowTokens, ...reported };
  const factor = factorAfterRefusal(state.factor, refusal);
  return { type: 'overflowed', factor, windowTokens, failures: state.failures + 1 };
}

type Taker = (event: WindowEvent) => void;

/** The half of a window that learns and repairs. */
function upkeep(
  state: WindowState,
  tell: Taker,
): Pick<Window, 'observe' | 'overflowed' | 'reset' | 'resize' | 'compact'> {
  return {
    resize: (size) => {
      const { windowTokens = state.windowTokens, fixedTokens = state.fixedTokens } = size;
      const answerTokens = 'answerTokens' in size ? size.answerTokens : state.answerTokens;
      const { fixed, sent, isCold = false } = size;
      const parts = { ...(fixed && { fixed: fixedPartsOf(fixed) }), ...(sent && { sent }) };
      const answer = answerTokens === undefined ? {} : { answerTokens };
      tell({ type: 'resized', windowTokens, fixedTokens, ...parts, ...answer, isCold });
    },
    observe: (usage) => {
      const { events, report } = draftObservation(state, usage);
      for (const event of events) tell(event);
      return report;
    },
    overflowed: (error) => {
      const overflow = overflowOf(error);
      if (overflow !== undefined) tell(refusalEvent(state, overflow));
      return overflow;
    },
    reset: () => {
      tell({ type: 'reset' });
    },
    compact: (compaction) => {
      const { compactionFailures } = state;
      checkBreaker(compactionFailures, 'compactions');
      const event = draftCompaction(state, compaction);
      const receipt = compactionReceipt(state, event);
      const failures = compactionFailures + 1;
      tell(receipt.done ? event : { type: 'failed', what: 'compaction', failures });
      return receipt;
    },
  };
}

/** A window over a state that the caller holds, too. */
export function windowOver(state: WindowState, onEvent?: WindowOptions['onEvent']): Window {
  const tell: Taker = (event) => {
    take(state, event, onEvent);
  };
  let explained: readonly SegmentReason[] = [];
  return {
    ...upkeep(state, tell),
    insert: (message, pointers = {}, key?: string) => {
      checkMessages([message]);
      tell({ type: 'received', message, pointers, ...(key === undefined ? {} : { key }) });
    },
    request: (now, parts = {}) => {
      checkBreaker(state.failures, 'requests');
      const segments = settle(state);
      if (segments !== undefined) onEvent?.({ type: 'settled', segments });
      const event = draftOrFail(state, () => draftRequest(state, { now, parts }), onEvent);
      tell(event);
      return requestOf(state, event);
    },
    compactionMoment: (summaryTokens) =>
      planCompactionMoment({
        ...compactionMeasures(state, summaryTokens),
        stubsSuffice: fitsByStubs(state),
        isRefused: state.failures > 0,
      }),
    planCompaction: (given) => handedOut(state, planWindowCompaction(state, given)),
    view: () => handedOut(state, state.log.view()),
    apply: (event) => {
      applyEvent(state, event);
    },
    pointers: () => new Set(state.shownPointers),
    explain: () => (explained = explainWindow(state.log, explained)),
    get steps() {
      return state.queue.steps + state.log.steps;
    },
  };
}

/**
 * Opens a window that stands where the events left off, with an empty log if there are none: the view after any event comes
 * back byte for byte, without what a rewind left out. Nothing that was decided then is decided again.
 */
export function openWindow(options: WindowOptions, events: Iterable<WindowEvent> = []): Window {
  const window = windowOver(createWindowState(options), options.onEvent);
  for (const event of pathOf([...events])) window.apply(event);
  return window;
}
