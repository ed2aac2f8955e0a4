import { CtxError } from '@ctx/core';

/** When a flash save is due, and how much of the hot items stays in the working context. */
export interface FlashSavePolicy {
  /** Share of the limit, measured on the real request, from which one is due. Above 0, at most 1. Default 0.8. */
  readonly triggerShare: number;
  /** Below this share it may become due again. Above 0, below `triggerShare`. Default 0.7. */
  readonly rearmShare: number;
  /** It may also become due again once the request has grown by this share of the limit. Above 0, at most 1. Default 0.1. */
  readonly growthShare: number;
  /** Least time between two, ms. Default 60,000. */
  readonly minIntervalMs: number;
  /** Most tokens of hot items in the working context afterwards. Default 16,000. */
  readonly hotTokens: number;
}

export const defaultFlashSavePolicy: FlashSavePolicy = {
  triggerShare: 0.8,
  rearmShare: 0.7,
  growthShare: 0.1,
  minIntervalMs: 60_000,
  hotTokens: 16_000,
};

function invalid(message: string): CtxError {
  return new CtxError('CTX_INVALID_OPTION', message);
}

/**
 * Completes a policy with the defaults.
 * @throws `CTX_INVALID_OPTION` naming what makes no sense.
 */
export function flashSavePolicy(given: Partial<FlashSavePolicy> = {}): FlashSavePolicy {
  const policy = { ...defaultFlashSavePolicy, ...given };
  const { triggerShare, rearmShare, growthShare, minIntervalMs, hotTokens } = policy;
  if (!(triggerShare > 0 && triggerShare <= 1)) {
    throw invalid('triggerShare must be above 0 and at most 1');
  }
  if (!(rearmShare > 0 && rearmShare < triggerShare)) {
    throw invalid('rearmShare must be above 0 and below triggerShare');
  }
  if (!(growthShare > 0 && growthShare <= 1)) {
    throw invalid('growthShare must be above 0 and at most 1');
  }
  if (!(minIntervalMs >= 0)) throw invalid('minIntervalMs must be a number from 0');
  if (!(hotTokens >= 0)) throw invalid('hotTokens must be a number from 0');
  return policy;
}
