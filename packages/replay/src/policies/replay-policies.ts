import type { ReplayPolicy } from '../replay-policy.ts';
import { batch } from './batch.ts';
import { classic } from './classic.ts';
import { compactAtLimit } from './compact-at-limit.ts';
import { ctxPolicies } from './ctx.ts';
import { none } from './none.ts';
import { offlineOptimum } from './offline-optimum.ts';
import { offload } from './offload.ts';
import { recipes } from './recipe.ts';
import { sliding } from './sliding.ts';

/** What `ctx replay` compares unless it is told. */
export const defaultReplayPolicies: readonly ReplayPolicy[] = [none, classic, offload];

/** All policies that `ctx replay` knows, in the order of its table. */
export const replayPolicies: readonly ReplayPolicy[] = [
  ...defaultReplayPolicies,
  sliding,
  batch,
  ...recipes,
  compactAtLimit,
  ...ctxPolicies,
  offlineOptimum,
];
