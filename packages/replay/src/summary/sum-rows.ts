import type { PolicyReport } from '../replay-report.ts';
import { type ReplayRow, replayRowSchema } from './replay-summary.ts';

/** One policy's report as a row. */
export function rowOf({
  policy,
  cost,
  overWindow,
  invalid,
  evidence,
  reread,
  names,
  outputs,
  savedTokens,
}: PolicyReport): ReplayRow {
  return {
    policy,
    requests: cost.requests,
    inputTokens: cost.inputTokens,
    outputTokens: cost.outputTokens,
    peakTokens: cost.peakTokens,
    inputUte: cost.inputUte,
    ute: cost.ute,
    dollars: cost.dollars,
    cachedTokens: cost.hitTokens,
    hitRate: cost.hitRate,
    resentTokens: cost.waste.changed,
    expiredTokens: cost.waste.lifetime,
    prefixBreaks: cost.prefixBreaks,
    overWindow,
    invalid,
    edits: evidence.edits,
    editsInView: evidence.inView,
    editsRecoverable: evidence.recoverable,
    rereadTokens: reread.tokens,
    rereadTokensInView: reread.inView,
    namesUsed: names.used,
    namesInView: names.inView,
    outputs: outputs.total,
    outputsRecoverable: outputs.recoverable,
    savedAtInsertion: savedTokens.atInsertion,
    savedByDedupe: savedTokens.byDedupe,
    savedByLeaving: savedTokens.byLeaving,
  };
}

const names = Object.keys(replayRowSchema.shape) as (keyof ReplayRow)[];

function addRows(a: ReplayRow, b: ReplayRow): ReplayRow {
  const sum = { ...a };
  for (const name of names) if (name !== 'policy') sum[name] = a[name] + b[name];
  const { inputTokens, cachedTokens } = sum;
  return {
    ...sum,
    peakTokens: Math.max(a.peakTokens, b.peakTokens),
    hitRate: inputTokens === 0 ? 0 : cachedTokens / inputTokens,
  };
}

/** Sums rows of several sessions by policy, in the order of their first appearance; the peak is the largest. */
export function sumRows(rows: readonly ReplayRow[]): ReplayRow[] {
  const sums = new Map<string, ReplayRow>();
  for (const row of rows) {
    const sum = sums.get(row.policy);
    sums.set(row.policy, sum === undefined ? row : addRows(sum, row));
  }
  return [...sums.values()];
}
