import type { ReplayPolicy } from '../replay-policy.ts';
import { startClearing } from './clear-results.ts';

/** Source: defaults of LangChain's and Anthropic's context editing. */
const triggerTokens = 100_000;
const keptResults = 3;

/** Clears all but the newest results once the request is large; never over 80 % of the window. */
export const batch: ReplayPolicy = {
  name: 'batch',
  description: 'clears all results but the newest 3 at 100,000 tokens',
  start: (context) => {
    const trigger = Math.min(triggerTokens, 0.8 * context.windowTokens);
    return startClearing(context, ({ tokens }) => (tokens > trigger ? keptResults : Infinity));
  },
};
