import { planFlush } from '../../window/leave/plan-flush.ts';
import type { WindowPolicy } from '../../window/window-policy.ts';
import { type FlushTrace, isColdRequest, sumFlushTrace } from '../flush-trace.ts';
import type { CachePrice } from '../prices.ts';

/**
 * The flush times that the rule of the window chooses on a trace, without knowing what comes: what
 * {@link planOfflineFlushes} is the bound of.
 * Pure; the same rule as the window's, on pieces in place of blocks. Makes one decision a request.
 */
export function planOnlineFlushes(
  trace: FlushTrace,
  price: CachePrice,
  policy: WindowPolicy,
): number[] {
  const sums = sumFlushTrace(trace);
  const { limitTokens = Number.POSITIVE_INFINITY } = trace;
  const flushes: number[] = [];
  let frontier = 0;
  let regret = 0;
  for (const [index, { pieces, mayLeave }] of trace.requests.entries()) {
    const reach = Math.max(frontier, mayLeave);
    const length = sums.length(pieces, frontier);
    const leavingTokens = sums.saved(frontier, reach);
    const kept = Math.min(length, sums.kept(frontier, reach));
    const measures = {
      projectedTokens: length,
      limitTokens,
      isCold: isColdRequest(trace.requests, index, price),
      leavingTokens,
      coldLeavingTokens: leavingTokens,
      survivingTokens: Math.max(0, length - kept - leavingTokens),
      regret,
      price,
    };
    const decision = planFlush(measures, policy);
    regret = decision.regret;
    if (decision.cause === undefined || leavingTokens === 0) continue;
    flushes.push(index);
    frontier = reach;
  }
  return flushes;
}
