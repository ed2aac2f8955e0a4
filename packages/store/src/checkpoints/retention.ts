import { CtxError } from '@ctx/core';
import type { CheckpointSummary } from './checkpoint.ts';

/** Which checkpoints are kept. Those with a label always are, and the newest. */
export interface CheckpointRetention {
  /** Most checkpoints without a label. Default 20. */
  readonly keep: number;
  /** Those without a label leave once they are older, ms. Default: never. */
  readonly maxAgeMs?: number;
}

export const defaultCheckpointRetention: CheckpointRetention = { keep: 20 };

/** @throws `CTX_INVALID_OPTION`. */
export function checkCheckpointRetention({ keep, maxAgeMs }: CheckpointRetention): void {
  if (!Number.isInteger(keep) || keep < 1) {
    throw new CtxError('CTX_INVALID_OPTION', 'keep must be a whole number of 1 or more');
  }
  if (maxAgeMs !== undefined && !(maxAgeMs >= 0)) {
    throw new CtxError('CTX_INVALID_OPTION', 'maxAgeMs must be a number from 0');
  }
}

/**
 * Chooses the checkpoints that leave. `checkpoints`: newest first. Pure; never the newest, never one with a label.
 * Makes one pass.
 */
export function planCheckpointRetention(
  checkpoints: readonly CheckpointSummary[],
  { keep, maxAgeMs = Infinity }: CheckpointRetention,
  now: number,
): readonly CheckpointSummary[] {
  const unnamed = checkpoints.filter(({ label }, at) => at > 0 && label === undefined);
  const kept = checkpoints[0]?.label === undefined ? keep - 1 : keep;
  return unnamed.filter(({ createdAt }, at) => at >= kept || now - createdAt > maxAgeMs);
}
