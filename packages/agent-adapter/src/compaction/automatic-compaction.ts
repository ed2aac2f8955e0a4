import { extractive, type SessionCompactionPolicy, type Summarizer } from '@ctx/compactor';
import {
  approximateTokens,
  type Clock,
  type ContextStore,
  type IdSource,
  isCtxError,
  type Message,
  randomIds,
  sessionExtras,
  systemClock,
  type TokenCounter,
} from '@ctx/core';
import type { CompactionMoment, RequestParts, WindowRequest } from '@ctx/truncation';
import { compactDocument } from './compact-document.ts';
import { type AnyWindow, compactWindow } from './compact-window.ts';
import type {
  AutomaticCompactionReceipt,
  CompactionFailure,
  WindowCompactionOutcome,
} from './compaction-outcome.ts';
import {
  defaultSummarySizes,
  type WindowSummaryOptions,
  type WindowSummarySizes,
} from './window-summary.ts';

/** How a window is compacted. Whatever is left out has a default. */
export interface AutomaticCompactionOptions {
  /** Who writes the summaries. Default `extractive()`, which is also tried last, whatever is given. */
  readonly summarizer?: Summarizer;
  readonly sizes?: Partial<WindowSummarySizes>;
  /**
   * Whether the window is also compacted where that pays, and not only where it is full. Default true; false keeps more in view
   * and costs more, as fits the mode `evidence`.
   */
  readonly whenItPays?: boolean;
  /** Texts that stand in every summary word by word, asked for anew each time. Default: the pinned facts of the session. */
  readonly pinned?: () => readonly string[] | Promise<readonly string[]>;
  /** When the session's document is compacted, too; `false`: never. Default: over 50 entries or 100,000 tokens, where there is a store. */
  readonly session?: Partial<SessionCompactionPolicy> | false;
  /** How long one request of a summariser may take, ms. Default 120,000. */
  readonly timeoutMs?: number;
  /** Default: the store's, else an estimate. */
  readonly countTokens?: TokenCounter;
  /** Default: the store's, else the machine's. */
  readonly clock?: Clock;
  /** Where the marks around quoted text come from. Default random; hand in others for repeatable bytes. */
  readonly ids?: IdSource;
  /** Called with each receipt of a compaction that was made, of the window or of the document. */
  readonly onCompaction?: (receipt: AutomaticCompactionReceipt) => void;
}

/** What one call is given. */
export interface CompactionCall {
  readonly signal?: AbortSignal;
}

/** A request, and what was done before it. */
export interface CompactedRequest extends WindowRequest {
  readonly compaction: AutomaticCompactionReceipt;
}

/** A window that is compacted when that is due. */
export interface AutomaticCompaction {
  /**
   * Compacts what is due: the window where stand-ins for results do not suffice, or where it pays; the session's document where
   * its history is too long. Cost: where nothing is due, the decision, and one read of the document.
   * Contract: until a commit nothing is changed, whatever a summariser does; messages may come in meanwhile, and stay; calls
   * while one is running get its receipt. After three failures in a row the window is left alone until the user speaks or
   * `reset` is called. Throws: `CTX_ABORTED`; the store's codes where the window's log cannot be written.
   */
  beforeRequest(call?: CompactionCall): Promise<AutomaticCompactionReceipt>;
  /** The same, then the request. `at`: ms since the epoch, default now. Throws: as `Window.request`, too. */
  request(at?: number, parts?: RequestParts, call?: CompactionCall): Promise<CompactedRequest>;
  /** Compacts the window whether it is due or not. Throws: as `beforeRequest`. */
  compact(call?: CompactionCall): Promise<AutomaticCompactionReceipt>;
  /** Lets compactions be tried again after three that failed. */
  reset(): void;
}

/** Failures in a row after which nothing is tried any more. */
const mostFailures = 3;

const usualTimeoutMs = 120_000;

interface Compacting {
  readonly window: AnyWindow;
  readonly options: AutomaticCompactionOptions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sizes: WindowSummarySizes;
  failures: number;
  /** The last message of the user that let everything be tried again. */
  heard: Message | undefined;
  running: Promise<AutomaticCompactionReceipt> | undefined;
}

function storeOf(window: AnyWindow): ContextStore | undefined {
  return 'store' in window ? window.store : undefined;
}

async function pinnedOf({ window, options }: Compacting): Promise<readonly string[]> {
  if (options.pinned !== undefined) return options.pinned();
  if (!('store' in window)) return [];
  const session = await window.store.sessions.get(window.sessionId);
  if (session === undefined) return [];
  const notes = sessionExtras(session.document).fact_notes;
  return notes.filter(({ pinned }) => pinned === true).map(({ text }) => text);
}

/** The user acts: what failed before may work now. */
function hearUser(compacting: Compacting): void {
  const newest = compacting.window.view().at(-1);
  if (newest?.role !== 'user' || newest === compacting.heard) return;
  if (newest.content.some(({ type }) => type === 'tool_result')) return;
  compacting.heard = newest;
  compacting.failures = 0;
}

function momentOf({ window, sizes, failures }: Compacting): CompactionMoment {
  const moment = window.compactionMoment(sizes.summaryTokens + sizes.annexTokens);
  return failures < mostFailures ? moment : { ...moment, compact: false, why: 'stuck' };
}

interface Doing extends CompactionCall {
  readonly isManual: boolean;
  readonly onFailure: (failure: CompactionFailure) => void;
}

/** Why the window is compacted now; `undefined` where it is not. */
function reasonOf(
  { compact, why }: CompactionMoment,
  { whenItPays = true }: AutomaticCompactionOptions,
): 'full' | 'pays' | undefined {
  if (!compact) return undefined;
  if (why === 'full') return why;
  return why === 'pays' && whenItPays ? why : undefined;
}

async function summaryOptions(
  compacting: Compacting,
  { signal }: CompactionCall,
): Promise<WindowSummaryOptions> {
  const { window, options, ids, sizes } = compacting;
  return {
    ...{ ids, sizes },
    summarizer: options.summarizer ?? extractive(),
    countTokens: options.countTokens ?? storeOf(window)?.countTokens ?? approximateTokens,
    pinned: await pinnedOf(compacting),
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
  };
}

async function doWindow(compacting: Compacting, doing: Doing): Promise<WindowCompactionOutcome> {
  const { window, clock } = compacting;
  const moment = momentOf(compacting);
  const why = doing.isManual ? 'manual' : reasonOf(moment, compacting.options);
  if (why === undefined) return { compacted: false, why: moment.compact ? 'not-full' : moment.why };
  const given = await summaryOptions(compacting, doing);
  const outcome = await compactWindow(window, { ...given, clock, why });
  compacting.failures = outcome.compacted ? 0 : compacting.failures + 1;
  return outcome;
}

async function doDocument(
  { window, options, ids }: Compacting,
  { signal, onFailure }: Doing,
): Promise<Pick<AutomaticCompactionReceipt, 'session'>> {
  const { session: policy = {}, summarizer, timeoutMs = usualTimeoutMs } = options;
  if (policy === false || !('store' in window)) return {};
  const { store, sessionId } = window;
  try {
    const session = await compactDocument({
      ...{ store, sessionId, policy, ids, timeoutMs },
      ...(summarizer === undefined ? {} : { summarizer }),
      ...(signal === undefined ? {} : { signal }),
    });
    return session === undefined ? {} : { session };
  } catch (error) {
    if (isCtxError(error, 'CTX_ABORTED')) throw error;
    onFailure({ what: 'session', error });
    return {};
  }
}

async function run(
  compacting: Compacting,
  call: CompactionCall & { readonly isManual: boolean },
): Promise<AutomaticCompactionReceipt> {
  const failures: CompactionFailure[] = [];
  const doing: Doing = { ...call, onFailure: (failure) => void failures.push(failure) };
  hearUser(compacting);
  const window = await doWindow(compacting, doing);
  const session = await doDocument(compacting, doing);
  const receipt = { window, ...session, failures };
  const hasActed = window.compacted || session.session !== undefined;
  if (hasActed) compacting.options.onCompaction?.(receipt);
  return receipt;
}

/**
 * Joins a window and a summariser: before each request it asks whether a compaction is due, lets the summary be written and
 * checked, and puts it in. Works on `openWindow` and `openSessionWindow`; with the latter each compaction leaves a record in
 * `store.compactions`, and the session's document is compacted on its own triggers, too.
 */
export function automaticCompaction(
  window: AnyWindow,
  options: AutomaticCompactionOptions = {},
): AutomaticCompaction {
  const compacting: Compacting = {
    ...{ window, options, failures: 0, heard: undefined, running: undefined },
    clock: options.clock ?? storeOf(window)?.clock ?? systemClock,
    ids: options.ids ?? randomIds(),
    sizes: { ...defaultSummarySizes, ...options.sizes },
  };
  const once = (call: CompactionCall, isManual: boolean): Promise<AutomaticCompactionReceipt> => {
    compacting.running ??= run(compacting, { ...call, isManual }).finally(() => {
      compacting.running = undefined;
    });
    return compacting.running;
  };
  return {
    beforeRequest: (call = {}) => once(call, false),
    compact: (call = {}) => once(call, true),
    request: async (at, parts = {}, call = {}) => {
      const compaction = await once(call, false);
      const request = await window.request(at ?? compacting.clock(), parts);
      return { ...request, compaction };
    },
    reset: () => {
      compacting.failures = 0;
    },
  };
}
