import { CtxError } from '@ctx/core';
import type { ConfigShape } from './host-types.ts';

/** Where a checkpoint of LangGraph is. */
export interface CheckpointPlace {
  readonly threadId: string;
  /** '' for the graph itself, else the sub-graph's. */
  readonly namespace: string;
  readonly checkpointId: string;
}

function textIn(config: ConfigShape, name: string): string | undefined {
  const value = config.configurable?.[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new CtxError('CTX_INVALID_INPUT', `configurable.${name} must be text`);
}

/**
 * What a config says of a place; each part may be missing.
 * @throws `CTX_INVALID_INPUT` for parts that are no text.
 */
export function placeIn(config: ConfigShape): Partial<CheckpointPlace> {
  const threadId = textIn(config, 'thread_id');
  const namespace = textIn(config, 'checkpoint_ns');
  // As LangGraph reads them: an empty id is none.
  const ids = [textIn(config, 'checkpoint_id'), textIn(config, 'thread_ts')];
  const checkpointId = ids.find((id) => id !== undefined && id !== '');
  return {
    ...(threadId === undefined ? {} : { threadId }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(checkpointId === undefined ? {} : { checkpointId }),
  };
}

/**
 * The thread that is written to.
 * @throws `CTX_INVALID_INPUT` where none is named.
 */
export function threadOf({ threadId }: Partial<CheckpointPlace>): string {
  if (threadId !== undefined) return threadId;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    'configurable.thread_id is missing: it says which thread a checkpoint belongs to',
  );
}

/** The config of a place. */
export function configOf({ threadId, namespace, checkpointId }: CheckpointPlace): {
  configurable: { thread_id: string; checkpoint_ns: string; checkpoint_id: string };
} {
  return {
    configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId },
  };
}
