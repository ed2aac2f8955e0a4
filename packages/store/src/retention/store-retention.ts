import { decodeText, encodeText } from '@ctx/core/encoding';
import type { CheckpointSummary } from '../checkpoints/checkpoint.ts';
import type { CheckpointService } from '../checkpoints/checkpoints.ts';
import { planCheckpointRetention } from '../checkpoints/retention.ts';
import type { OutputService } from '../outputs/outputs.ts';
import type { RetentionPlan } from '../outputs/retention.ts';
import type { StoreHost } from '../store-host.ts';

/** What may stay in a store. Left out: no limit. */
export interface StoreRetention {
  readonly maxAgeMs?: number;
  readonly maxTotalBytes?: number;
  /** Most checkpoints of an agent without a label. */
  readonly checkpoints?: number;
}

/** What leaves a store, decided but not done. */
export interface StoreRetentionPlan {
  readonly outputs: RetentionPlan;
  readonly checkpoints: readonly CheckpointSummary[];
}

/** What left. */
export interface StoreRetentionReceipt {
  readonly outputs: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly keptPinned: number;
  readonly checkpoints: number;
  /** Contents of items that no checkpoint names any more. */
  readonly contents: number;
}

/** Retention of a whole store. */
export interface RetentionService {
  /** Decides what leaves and writes nothing. Reads columns of what may leave. */
  plan(policy: StoreRetention): Promise<StoreRetentionPlan>;
  /** Deletes what a plan of this policy says. Run again after an interruption it goes on. */
  apply(plan: StoreRetentionPlan, policy: StoreRetention): Promise<StoreRetentionReceipt>;
}

/** Where retention reads and writes. */
interface RetentionPlace extends Pick<StoreHost, 'backend' | 'tenant' | 'clock'> {
  readonly outputs: OutputService;
  readonly checkpoints: CheckpointService;
}

/** Agents that have checkpoints. Takes one step of an index for each. */
async function agentsOf({ backend, tenant }: RetentionPlace): Promise<string[]> {
  const agents: string[] = [];
  for (;;) {
    const last = agents.at(-1);
    const range =
      last === undefined ? {} : { range: { from: encodeText(last), fromExclusive: true } };
    const equal = [encodeText(tenant)];
    const query = { collection: 'checkpoints', index: 'key', equal, ...range, limit: 1 } as const;
    let found: string | undefined;
    for await (const { key } of backend.scan({ ...query, part: 'columns' })) found = key[1];
    if (found === undefined) return agents;
    agents.push(decodeText(found));
  }
}

async function checkpointsOf(
  { checkpoints }: RetentionPlace,
  agentId: string,
): Promise<CheckpointSummary[]> {
  const all: CheckpointSummary[] = [];
  let after: string | undefined;
  do {
    const page = await checkpoints.list({
      agentId,
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return all;
}

/** Checkpoints alone default to the newest 20; here a missing limit means no limit. */
function checkpointPolicy({ checkpoints, maxAgeMs }: StoreRetention) {
  const keep = checkpoints ?? Number.MAX_SAFE_INTEGER;
  return { keep, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) };
}

async function planStoreRetention(
  place: RetentionPlace,
  policy: StoreRetention,
): Promise<StoreRetentionPlan> {
  const { maxAgeMs, maxTotalBytes } = policy;
  const outputs = await place.outputs.planRetention({
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    ...(maxTotalBytes === undefined ? {} : { maxTotalBytes }),
  });
  const checkpoints: CheckpointSummary[] = [];
  for (const agentId of await agentsOf(place)) {
    const all = await checkpointsOf(place, agentId);
    checkpoints.push(...planCheckpointRetention(all, checkpointPolicy(policy), place.clock()));
  }
  return { outputs, checkpoints };
}

async function applyStoreRetention(
  place: RetentionPlace,
  plan: StoreRetentionPlan,
  policy: StoreRetention,
): Promise<StoreRetentionReceipt> {
  const { deleted, bytesBefore, bytesAfter, keptPinned } = await place.outputs.applyRetention(
    plan.outputs,
  );
  const agents = new Set(plan.checkpoints.map(({ agentId }) => agentId));
  let checkpoints = 0;
  let contents = 0;
  for (const agentId of agents) {
    const done = await place.checkpoints.prune(agentId, checkpointPolicy(policy));
    checkpoints += done.checkpoints;
    contents += done.contents;
  }
  return { outputs: deleted, bytesBefore, bytesAfter, keptPinned, checkpoints, contents };
}

/** Makes the service. Does nothing until used. */
export function retentionService(place: RetentionPlace): RetentionService {
  return {
    plan: (policy) => planStoreRetention(place, policy),
    apply: (plan, policy) => applyStoreRetention(place, plan, policy),
  };
}
