import { expect, test } from 'vitest';
import type { ReplayRow } from './replay-summary.ts';
import { sumRows } from './sum-rows.ts';

const row = (policy: string, inputTokens: number, cachedTokens: number): ReplayRow => ({
  policy,
  requests: 2,
  inputTokens,
  outputTokens: 10,
  peakTokens: inputTokens,
  inputUte: 1,
  ute: 1.5,
  dollars: 0.25,
  cachedTokens,
  hitRate: cachedTokens / inputTokens,
  resentTokens: 3,
  expiredTokens: 2,
  prefixBreaks: 1,
  overWindow: 0,
  invalid: 0,
  edits: 4,
  editsInView: 3,
  editsRecoverable: 4,
  rereadTokens: 100,
  rereadTokensInView: 70,
  namesUsed: 9,
  namesInView: 8,
  outputs: 5,
  outputsRecoverable: 5,
  savedAtInsertion: 1,
  savedByDedupe: 2,
  savedByLeaving: 3,
});

test('sums by policy; the peak is the largest and the hit rate that of all tokens', () => {
  expect(sumRows([row('none', 100, 50), row('offload', 10, 0), row('none', 300, 250)])).toEqual([
    {
      ...row('none', 400, 300),
      requests: 4,
      outputTokens: 20,
      peakTokens: 300,
      inputUte: 2,
      ute: 3,
      dollars: 0.5,
      hitRate: 0.75,
      resentTokens: 6,
      expiredTokens: 4,
      prefixBreaks: 2,
      edits: 8,
      editsInView: 6,
      editsRecoverable: 8,
      rereadTokens: 200,
      rereadTokensInView: 140,
      namesUsed: 18,
      namesInView: 16,
      outputs: 10,
      outputsRecoverable: 10,
      savedAtInsertion: 2,
      savedByDedupe: 4,
      savedByLeaving: 6,
    },
    row('offload', 10, 0),
  ]);
  expect(sumRows([])).toEqual([]);
});
