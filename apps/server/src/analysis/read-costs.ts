import { isCtxError } from '@ctx/core';
import { measureContext } from '@ctx/replay';
import type { ContextStore, PageRequest } from '@ctx/store';
import type { ServerContext } from '../app.ts';
import { ProblemError } from '../problems/problem.ts';
import { isImported } from '../routes/sessions/imported-messages.ts';
import { readSizes } from '../windows/read-sizes.ts';
import { readRecordedWindow } from '../windows/recorded-window.ts';
import type { AskedWindow } from '../windows/request-moment.ts';
import { planCost, planSaved, reportedScale, type SessionCost } from './plan-cost.ts';
import type { Ranking } from './ranked-sessions.ts';
import { readAnalysed, readCarried } from './read-analysed.ts';

type CostContext = Pick<ServerContext, 'imported' | 'analyses'>;

/**
 * What an imported agent sent itself, from what its import counted: then no result is read. ctx did not make it smaller. `undefined` of
 * a session that was not imported.
 */
async function recordedCost(
  store: ContextStore,
  session: string,
): Promise<SessionCost | undefined> {
  const sizes = await readSizes(store, session);
  if (sizes === undefined && !(await isImported(store, session))) return undefined;
  const window = await readRecordedWindow(store, session, sizes);
  const { requests, use } = window;
  const cost = planCost({ requests, ...window.view() }, await window.carried());
  return { ...cost, ...(use && { use }) };
}

/**
 * Reads what a session cost: once for each state of it.
 * @throws 404.
 */
export function readCost(
  context: CostContext,
  store: ContextStore,
  asked: AskedWindow,
): Promise<SessionCost> {
  const { session, mode } = asked;
  return context.analyses.cost({ ...asked, store }, async () => {
    const recorded = mode === 'recorded' ? await recordedCost(store, session) : undefined;
    if (recorded !== undefined) return recorded;
    const analysed = await readAnalysed(context, store, asked);
    const { scale } = analysed.view;
    const cost = planCost(analysed, await readCarried(context, store, { ...asked, scale }));
    const use = await measureContext(store, { sessionId: session });
    const savedDollars = planSaved(analysed, reportedScale(analysed, cost.carriedTokens));
    return { ...cost, savedDollars, ...(use && { use }) };
  });
}

type SessionPage = Awaited<ReturnType<ContextStore['sessions']['list']>>;

/** A page of sessions with what they cost. */
export interface CostPage extends Omit<SessionPage, 'entries'> {
  readonly entries: readonly {
    readonly session: SessionPage['entries'][number];
    /** Missing where it can't be read. */
    readonly cost?: SessionCost;
  }[];
}

/** Longest work for one answer, ms: then the page ends, and others get their turn. */
const maxMs = 1_000;

/** Whether a session is gone or damaged: others can be read all the same. */
function isUnreadable(error: unknown): boolean {
  return (
    isCtxError(error, 'CTX_STORE_CORRUPT') ||
    (error instanceof ProblemError && error.problem.status === 404)
  );
}

async function costOf(
  context: CostContext,
  store: ContextStore,
  session: string,
): Promise<{ readonly cost?: SessionCost }> {
  try {
    return { cost: await readCost(context, store, { session, mode: 'recorded' }) };
  } catch (error) {
    if (isUnreadable(error)) return {};
    throw error;
  }
}

/** Brings the ranking of all sessions up to date, as their agents sent them. */
export function readRanking(context: CostContext, store: ContextStore): Promise<Ranking> {
  return context.analyses.rankings.update(store, (session) => costOf(context, store, session));
}

/** Reads what sessions cost, the newest first, as their agents sent them. A page may be short and have a next one. */
export async function readCosts(
  context: CostContext,
  store: ContextStore,
  page: PageRequest,
): Promise<CostPage> {
  const end = performance.now() + maxMs;
  const list = await store.sessions.list(page);
  const entries = [];
  for (const session of list.entries) {
    entries.push({ session, ...(await costOf(context, store, session.id)) });
    if (performance.now() > end && entries.length < list.entries.length) {
      const { next } = await store.sessions.list({ ...page, limit: entries.length });
      return { ...list, ...(next === undefined ? {} : { next }), entries };
    }
  }
  return { ...list, entries };
}
