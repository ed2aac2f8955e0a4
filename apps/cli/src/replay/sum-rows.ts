import type { PolicyReport } from '@ctx/replay';
import type { ReplayRow } from '../schemas/window/replay.ts';

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
  };
}

function addRows(a: ReplayRow, b: ReplayRow): ReplayRow {
  const inputTokens = a.inputTokens + b.inputTokens;
  const cachedTokens = a.cachedTokens + b.cachedTokens;
  return {
    policy: a.policy,
    requests: a.requests + b.requests,
    inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    peakTokens: Math.max(a.peakTokens, b.peakTokens),
    inputUte: a.inputUte + b.inputUte,
    ute: a.ute + b.ute,
    dollars: a.dollars + b.dollars,
    cachedTokens,
    hitRate: inputTokens === 0 ? 0 : cachedTokens / inputTokens,
    resentTokens: a.resentTokens + b.resentTokens,
    expiredTokens: a.expiredTokens + b.expiredTokens,
    prefixBreaks: a.prefixBreaks + b.prefixBreaks,
    overWindow: a.overWindow + b.overWindow,
    invalid: a.invalid + b.invalid,
    edits: a.edits + b.edits,
    editsInView: a.editsInView + b.editsInView,
    editsRecoverable: a.editsRecoverable + b.editsRecoverable,
    rereadTokens: a.rereadTokens + b.rereadTokens,
    rereadTokensInView: a.rereadTokensInView + b.rereadTokensInView,
    namesUsed: a.namesUsed + b.namesUsed,
    namesInView: a.namesInView + b.namesInView,
    outputs: a.outputs + b.outputs,
    outputsRecoverable: a.outputsRecoverable + b.outputsRecoverable,
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
