import type { ReplayPolicy } from '../replay-policy.ts';
import { startClearing } from './clear-results.ts';

/** Results that stay whole. */
const keptResults = 10;

/** Clears all but the newest results at every turn: small requests that never find their cache. */
export const sliding: ReplayPolicy = {
  name: 'sliding',
  description: 'only the newest 10 results stay, at every request',
  start: (context) => startClearing(context, () => keptResults),
};
