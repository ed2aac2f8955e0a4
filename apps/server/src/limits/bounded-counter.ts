import type { TokenCounter } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';

/**
 * Makes a counter that leaves texts of up to `exactLength` UTF-16 units to `exact`, and estimates longer ones.
 * Exact counters take up to a second per MB, in which the server answers no request; the estimate takes a fiftieth of that.
 * Pure, as `exact` is. 0: all is estimated.
 */
export function boundedCounter(exact: TokenCounter, exactLength: number): TokenCounter {
  return (text) => (text.length <= exactLength ? exact(text) : approximateTokens(text));
}
