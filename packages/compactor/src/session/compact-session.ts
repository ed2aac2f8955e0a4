import { CtxError } from '@ctx/core';
import type { ContextStore, Session } from '@ctx/store';
import { checkStore, checkTimeout } from '../summary/check-inputs.ts';
import {
  type ApplySessionOptions,
  applySessionCompaction,
  type SessionCompactionReceipt,
  type SessionCompactionRefusal,
} from './apply-session-compaction.ts';
import { planSessionCompaction, type SessionCompactionPlan } from './plan-session-compaction.ts';
import { defaultSessionCompactionPolicy } from './session-compaction-policy.ts';
import { sessionTokens } from './session-tokens.ts';

/** How a session is compacted. */
export interface CompactSessionOptions extends ApplySessionOptions {
  /** Cuts the history to `keepEntries` also where it is not yet over `maxEntries`. Default false. */
  readonly isManual?: boolean;
  /** Plans only. Default false. */
  readonly isDryRun?: boolean;
}

/** What was planned, and what was done of it. */
export interface CompactSessionReceipt {
  /** `undefined` where there was nothing to do. */
  readonly plan: SessionCompactionPlan | undefined;
  /** `undefined` where nothing was done. */
  readonly done: SessionCompactionReceipt | undefined;
  /** Of a dry run: tokens of the document as it is, and at most afterwards: with a summary that takes all that it may. */
  readonly sizes?: { readonly tokensBefore: number; readonly tokensAfter: number };
  /** Why a planned one was not made, where it was not. */
  readonly refusal?: SessionCompactionRefusal;
}

function receiptOf(
  plan: SessionCompactionPlan,
  done: SessionCompactionReceipt | SessionCompactionRefusal,
): CompactSessionReceipt {
  return 'reason' in done ? { plan, done: undefined, refusal: done } : { plan, done };
}

/** Returns what a plan would change: the summary is counted as if it took all that it may. */
function sizesOf(
  { factsDropped, historyTokens }: SessionCompactionPlan,
  { document }: Session,
  { countTokens, policy }: Pick<ContextStore, 'countTokens'> & Pick<ApplySessionOptions, 'policy'>,
): NonNullable<CompactSessionReceipt['sizes']> {
  const tokensBefore = sessionTokens(document, countTokens);
  const cap = policy?.summaryTokens ?? defaultSessionCompactionPolicy.summaryTokens;
  const facts = document.facts.filter((fact) => !factsDropped.includes(fact));
  const kept = facts.reduce((sum, fact) => sum + countTokens(fact), historyTokens);
  return { tokensBefore, tokensAfter: kept + Math.min(cap, Math.max(0, tokensBefore - kept)) };
}

/** How often a session that others change meanwhile is planned anew. */
const maxPlans = 10;

/**
 * Compacts a session where that is due.
 * A second run finds nothing to do and writes nothing. See {@link applySessionCompaction}.
 * @throws `CTX_INVALID_INPUT` without an open store, `CTX_NOT_FOUND`, `CTX_ABORTED`, `CTX_STORE_BUSY` where others change the session again
 * and again.
 */
export async function compactSession(
  store: ContextStore,
  sessionId: string,
  options: CompactSessionOptions = {},
): Promise<CompactSessionReceipt> {
  checkStore(store);
  checkTimeout(options.timeoutMs);
  const { isManual = false, isDryRun = false, policy = {} } = options;
  for (let count = 0; count < maxPlans; count += 1) {
    const session = await store.sessions.get(sessionId);
    if (session === undefined) {
      throw new CtxError('CTX_NOT_FOUND', `there is no session ${sessionId}`);
    }
    const { countTokens, clock } = store;
    const planning = { countTokens, now: clock(), isManual, policy };
    const plan = planSessionCompaction(session.document, planning);
    if (plan === undefined) return { plan, done: undefined };
    if (isDryRun)
      return { plan, done: undefined, sizes: sizesOf(plan, session, { countTokens, policy }) };
    const done = await applySessionCompaction(store, { session, plan }, options);
    if (done !== undefined) return receiptOf(plan, done);
  }
  throw new CtxError('CTX_STORE_BUSY', `others keep changing session ${sessionId}; try again`);
}
