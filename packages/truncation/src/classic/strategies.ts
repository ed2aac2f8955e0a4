import { CtxError } from '@ctx/core';

/** How much of the conversation a cut leaves: nothing, the last two messages, half or a quarter. */
export type ClassicStrategy = 'none' | 'last-two' | 'half' | 'quarter';

/** Every strategy, by how much it leaves, least first. */
export const classicStrategies: readonly ClassicStrategy[] = [
  'none',
  'last-two',
  'quarter',
  'half',
];

/**
 * How many messages a strategy takes out of `count`, where the first `kept` of them are the front or have left before.
 * Pure, 0 or more. The half and the quarter are even, so that what follows has the role of what left first. Source: seed 002.
 * @throws `CTX_INVALID_OPTION` for a strategy that does not exist.
 */
export function removedCount(strategy: ClassicStrategy, count: number, kept: number): number {
  const rest = Math.max(count - kept, 0);
  switch (strategy) {
    case 'none':
      return rest;
    case 'last-two':
      return Math.max(rest - 2, 0);
    case 'half':
      return 2 * Math.floor(rest / 4);
    case 'quarter':
      return 2 * Math.floor((rest * 3) / 4 / 2);
    default:
      throw new CtxError('CTX_INVALID_OPTION', `there is no strategy ${String(strategy)}`);
  }
}
