import type { ReplayPolicy } from '../replay-policy.ts';
import { classic } from './classic.ts';
import { none } from './none.ts';
import { offload } from './offload.ts';

/** The policies that `ctx replay` compares, in the order of its table. */
export const replayPolicies: readonly ReplayPolicy[] = [none, classic, offload];
