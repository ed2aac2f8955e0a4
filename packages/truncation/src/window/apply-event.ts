import { receive, settle } from './insert/receive.ts';
import { applyCompaction, applyFlush } from './leave/apply-flush.ts';
import { changedPart, predictCache } from './observe/cache-report.ts';
import type { RequestedEvent, SegmentRecord, SentElsewhere, WindowEvent } from './window-event.ts';
import { forgetFailures, projectedTokens, type WindowState } from './window-state.ts';

/** The prefix that is cached at least, where the price says nothing, tokens. */
const minimumCached = 1024;

/** Whether the provider's cache holds nothing of this log any more. */
export function isColdAt(state: WindowState, now: number): boolean {
  const last = state.lastRequestAt;
  return state.isCold || (last !== undefined && now - last > state.price.lifetimeMs);
}

/** First segment that a request does not have like the one before. */
function firstChange(state: WindowState, { flush }: RequestedEvent): number {
  const edited = flush?.edits.map(({ segment }) => segment) ?? [];
  return edited.reduce((first, segment) => Math.min(first, segment), state.changedFrom);
}

function applyRequest(state: WindowState, event: RequestedEvent): void {
  const { log, fixedTokens, sent } = state;
  const changedFrom = firstChange(state, event);
  const isCold = isColdAt(state, event.at);
  state.queue.advance();
  if (event.flush !== undefined) applyFlush(state, event.flush);
  const before = log.tokensFrom(0) - log.tokensFrom(changedFrom);
  const prediction = predictCache({
    sentTokens: sent?.tokens,
    sharedTokens: Number.isFinite(changedFrom) ? fixedTokens + before : Infinity,
    changedPart: changedPart(state.parts, event.parts ?? {}),
    isCold,
    minimumTokens: state.price.minimumTokens ?? minimumCached,
  });
  state.sent = { tokens: projectedTokens(state), prediction, changedFrom };
  state.changedFrom = Infinity;
  state.seenSegments = log.segments.length;
  state.requests += 1;
  state.regret = event.regret;
  state.compactionRegret = event.compactionRegret ?? 0;
  state.lastRequestAt = event.at;
  state.parts = { ...state.parts, ...event.parts };
  state.isCold = false;
}

/** From now on the provider's cache has the log as it stands. */
function applySent(state: WindowState, { at, parts }: SentElsewhere): void {
  state.lastRequestAt = at;
  state.isCold = false;
  state.seenSegments = state.log.segments.length;
  state.changedFrom = Infinity;
  state.sent = undefined;
  state.parts = { ...state.parts, ...parts };
}

type Resized = Extract<WindowEvent, { readonly type: 'resized' }>;

function applySize(state: WindowState, event: Resized): void {
  state.windowTokens = event.windowTokens;
  state.toldWindowTokens = event.windowTokens;
  state.fixedTokens = event.fixedTokens;
  state.fixed = event.fixed;
  state.answerTokens = event.answerTokens;
  state.isCold ||= event.isCold;
  if (event.sent !== undefined) applySent(state, event.sent);
  forgetFailures(state);
}

type Compacted = Extract<WindowEvent, { readonly type: 'compacted' }>;

function applySummary(state: WindowState, { epoch }: Compacted): void {
  const first = state.log.messages[epoch.from]?.first ?? 0;
  applyCompaction(state, epoch);
  state.changedFrom = Math.min(state.changedFrom, first);
  state.compactionRegret = 0;
  state.compactedTurn = state.turn;
  state.compactionFailures = 0;
}

type Rewound = Extract<WindowEvent, { readonly type: 'rewound' }>;

/** What a rewind leaves besides the state of the moment that it went back to. */
function applyRewind(state: WindowState, event: Rewound): void {
  // Whoever went back looked at what left the tail until there.
  state.queue.advance();
  state.isCold ||= event.isCold;
  state.changedFrom = Math.min(state.changedFrom, event.changedFrom);
  state.lastRequestAt = event.lastRequestAt;
  state.windowTokens = event.windowTokens;
  state.toldWindowTokens = event.toldWindowTokens;
  state.fixedTokens = event.fixedTokens;
  state.fixed = event.fixed;
  state.answerTokens = event.answerTokens;
  state.factor = event.factor;
  forgetFailures(state);
}

type LogEvent = Extract<WindowEvent, { readonly type: 'received' | 'settled' | 'compacted' }>;

/** Puts into the log what belongs there. Gives what was decided about each block. */
function applyToLog(state: WindowState, event: LogEvent): SegmentRecord[] {
  if (event.type === 'received') return receive(state, event);
  if (event.type === 'settled') return settle(state, event.segments) ?? [];
  applySummary(state, event);
  return [];
}

/** A request that failed took note of what left the tail before it did. */
function applyFailure(state: WindowState, failures: number): void {
  state.failures = failures;
  state.queue.advance();
}

type StateEvent = Exclude<WindowEvent, LogEvent | RequestedEvent | Resized | Rewound>;

function applyToState(state: WindowState, event: StateEvent): void {
  if (event.type === 'observed') {
    state.factor = event.factor;
    state.failures = 0;
  } else if (event.type === 'overflowed') {
    state.factor = event.factor;
    state.windowTokens = event.windowTokens;
    state.failures = event.failures;
  } else if (event.type === 'failed') {
    if (event.what === 'request') applyFailure(state, event.failures);
    else state.compactionFailures = event.failures;
  } else if (event.type === 'reset') forgetFailures(state);
}

/**
 * Lets an event take effect. Gives what was decided about the blocks that it brought.
 * Deterministic; a rewind is applied to the state of the event that it goes back to. Reads what the event holds.
 */
export function applyEvent(state: WindowState, event: WindowEvent): SegmentRecord[] {
  switch (event.type) {
    case 'received':
    case 'settled':
    case 'compacted':
      return applyToLog(state, event);
    case 'requested':
      applyRequest(state, event);
      return [];
    case 'resized':
      applySize(state, event);
      return [];
    case 'rewound':
      applyRewind(state, event);
      return [];
    default:
      applyToState(state, event);
      return [];
  }
}
