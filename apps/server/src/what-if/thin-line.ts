import type { CostPoint } from './thread-messages.ts';

/** Most points of a line: more than a chart of 1,000 pixels shows apart. */
export const maxPoints = 200;

/** Returns at most {@link maxPoints} requests of a line, evenly spaced, the last one among them. */
export function thinLine(costs: readonly number[]): CostPoint[] {
  const every = Math.ceil(costs.length / maxPoints);
  return costs
    .map((dollars, index) => ({ request: index + 1, dollars }))
    .filter(({ request }) => (costs.length - request) % every === 0);
}
