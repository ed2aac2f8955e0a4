import type { OutputService } from '../outputs/outputs.ts';
import type { RetentionPolicy } from '../outputs/retention.ts';
import { type LeasePlace, takeLease } from './lease.ts';

/** Outputs that one step deletes at most: the lease is renewed before each. */
const batchOutputs = 200;
/** Outputs whose keys are held at once, at most. */
const planOutputs = 5000;
const silenceMs = 60_000;

/** What is retained, and how often. */
export interface RetainWork extends LeasePlace {
  readonly outputs: Pick<OutputService, 'planRetention' | 'applyRetention'>;
  readonly policy: RetentionPolicy;
  /** Nothing is done where somebody did it within this time, ms. */
  readonly everyMs: number;
}

/**
 * Lets the outputs of a tenant go that are beyond the limits. Any process may call it; there is no leader.
 * Contract: of several processes one works for a tenant at a time, in batches, and the others pass it over and take the next tenant; a
 * batch is done by one of them, and where one died another goes on after a minute. Gives how many outputs went. Cost: that of the plan, and a write before each 200 deletions.
 */
export async function retainOutputs(work: RetainWork): Promise<number> {
  const { outputs, policy, everyMs } = work;
  const lease = await takeLease(work, { name: 'retention', silenceMs, restMs: everyMs });
  if (lease === undefined) return 0;
  let deleted = 0;
  for (;;) {
    const plan = await outputs.planRetention({ ...policy, atOnce: planOutputs });
    let gone = 0;
    for (let from = 0; from < plan.leaving.length; from += batchOutputs) {
      if (!(await lease.renew())) return deleted + gone;
      const leaving = plan.leaving.slice(from, from + batchOutputs);
      gone += (await outputs.applyRetention({ ...plan, leaving })).deleted;
    }
    deleted += gone;
    // Less than a whole plan was all there is; nothing gone is what cannot go.
    if (plan.leaving.length < planOutputs || gone === 0) break;
  }
  await lease.end();
  return deleted;
}
