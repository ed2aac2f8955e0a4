import { isCtxError } from '@ctx/core';
import { limitTokens, projectedTokens, type WindowState } from '../window-state.ts';
import { planHardFit } from './plan-hard-fit.ts';

/**
 * Whether the next request can be made to fit by what stands for calls, results and previews alone, so that no message has to be
 * cut or summed up.
 * Changes nothing. Costs nothing below the limit, else as much as a fit.
 */
export function fitsByStubs(state: WindowState): boolean {
  const most = limitTokens(state);
  if (projectedTokens(state) <= most) return true;
  const { log, queue, fixedTokens, host } = state;
  const { policy, tokensOf, previewText } = host;
  try {
    const sizes = { fixedTokens, limitTokens: most };
    const fit = planHardFit({ log, queue, policy, tokensOf, previewText, ...sizes });
    return fit.cut === undefined;
  } catch (error) {
    if (isCtxError(error, 'CTX_WINDOW_OVERFLOW')) return false;
    throw error;
  }
}
