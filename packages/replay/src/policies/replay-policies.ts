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

/** All policies that `ctx replay` knows, in the order of its table. */
export const replayPolicies: readonly ReplayPolicy[] = [
  none,
  classic,
  offload,
  sliding,
  batch,
  ...recipes,
  compactAtLimit,
  ...ctxPolicies,
  offlineOptimum,
];

const usualNames: readonly string[] = ['none', 'classic', 'recipe', 'offload', 'ctx'];

/** What `ctx replay` compares unless it is told, in the order of its table. */
export const defaultReplayPolicies: readonly ReplayPolicy[] = usualNames.flatMap(
  (name) => replayPolicies.find((policy) => policy.name === name) ?? [],
);
