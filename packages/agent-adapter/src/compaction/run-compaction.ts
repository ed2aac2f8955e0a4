import { extractive } from '@ctx/compactor';
import { isCtxError } from '@ctx/core';
import { sessionExtras } from '@ctx/store';
import { approximateTokens } from '@ctx/tokens/approximate';

import { compactDocument } from './compact-document.ts';
import { compactWindow } from './compact-window.ts';
import type {
  AutomaticCompactionOptions,
  Compacting,
  CompactionCall,
} from './compaction-options.ts';
import type {
  AutomaticCompactionReceipt,
  CompactionFailure,
  WindowCompactionOutcome,
} from './compaction-outcome.ts';
import type { WindowSummaryOptions } from './window-summary.ts';
import type { CompactionMoment } from '../context-manager/window-types.ts';

/** Failures in a row after which nothing is tried any more. */
const mostFailures = 3;

const usualTimeoutMs = 120_000;

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
    countTokens:
      options.countTokens ??
      ('store' in window ? window.store.countTokens : undefined) ??
      approximateTokens,
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

/** Compacts what is due, or what was asked for. `AutomaticCompaction` says the rest. */
export async function runCompaction(
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
