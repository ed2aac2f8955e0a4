import { CtxError } from '@ctx/core';
import type { CheckpointSummary, ContextStore } from '@ctx/store';

/** Most checkpoints that are looked through for a likely name. */
const searched = 1000;

/**
 * The checkpoint of this id, or the one of the agent whose id begins so or that has this label.
 * @throws `CTX_NOT_FOUND`; `CTX_INVALID_INPUT` where several are meant.
 */
export async function findCheckpoint(
  { checkpoints }: ContextStore,
  agentId: string,
  name: string,
): Promise<CheckpointSummary> {
  const exact = await checkpoints.get(name);
  if (exact !== undefined) return exact;
  const { entries } = await checkpoints.list({ agentId, limit: searched });
  const isMeant = ({ id, label }: CheckpointSummary): boolean =>
    name !== '' && (id.startsWith(name) || label === name);
  const [only, ...others] = entries.filter(isMeant);
  if (only === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `agent ${agentId} has no checkpoint ${name}`);
  }
  if (others.length === 0) return only;
  throw new CtxError('CTX_AMBIGUOUS', `several checkpoints are called ${name}: give an id`);
}
