/** The smallest shapes of LangGraph's checkpoint savers that are needed here. */

/** Where a checkpoint is. */
export interface ConfigShape {
  readonly configurable?: Readonly<Record<string, unknown>>;
}

/** A checkpoint of LangGraph. */
export interface CheckpointShape {
  readonly v: number;
  readonly id: string;
  readonly channel_values: Readonly<Record<string, unknown>>;
  readonly channel_versions: Readonly<Record<string, VersionShape>>;
}

export type VersionShape = number | string;

/** Turns values into bytes and back. It may encrypt. */
export interface SerializerShape {
  dumpsTyped(value: unknown): Promise<[string, Uint8Array]>;
  loadsTyped(type: string, bytes: Uint8Array | string): Promise<unknown>;
}

/** What `BaseCheckpointSaver` brings along. */
export interface SaverBase {
  serde: SerializerShape;
}

/** What a task wrote: its id, a channel, a value. */
export type PendingWriteShape = [taskId: string, channel: string, value: unknown];

/** A checkpoint and what belongs to it. */
export interface TupleShape {
  config: ConfigShape;
  checkpoint: CheckpointShape;
  metadata: unknown;
  parentConfig?: ConfigShape;
  pendingWrites: PendingWriteShape[];
}

/** Which checkpoints are listed. */
export interface ListOptionsShape {
  readonly limit?: number;
  readonly before?: ConfigShape;
  readonly filter?: Readonly<Record<string, unknown>>;
}
