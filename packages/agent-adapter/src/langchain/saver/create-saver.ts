import type { ContextStore } from '@ctx/store';
import { findGraphCheckpoint, listCheckpoints } from './find-checkpoints.ts';
import type {
  CheckpointShape,
  ConfigShape,
  ListOptionsShape,
  SaverBase,
  SerializerShape,
  TupleShape,
  VersionShape,
} from './host-types.ts';
import { saveWrites } from './pending-writes.ts';
import type { PruneOptions } from './plan-prune.ts';
import { type PruneReceipt, pruneThread } from './prune-thread.ts';
import { saveCheckpoint } from './save-checkpoint.ts';
import { saverHost } from './saver-host.ts';
import { clearThreads, copyThread, deleteThread, expireThreads } from './threads.ts';

/** What a saver of ctx can do beyond what LangGraph asks for. */
export interface SaverExtras {
  /** Removes old checkpoints of a thread, and what only they held. Those that stay read as before. */
  prune(threadId: string, options?: PruneOptions): Promise<PruneReceipt>;
  /**
   * Copies a thread with all its checkpoints, and gives their number.
   * @throws `CTX_NOT_FOUND` where there is no such thread, `CTX_INVALID_INPUT` where the other one is there already.
   */
  copyThread(from: string, to: string): Promise<number>;
  /** Removes the threads that got no checkpoint for so long, and names them. Reads the columns of all checkpoints. */
  expireThreads(options: { readonly olderThanMs: number }): Promise<readonly string[]>;
  /** Removes all threads of the store's tenant. */
  clear(): Promise<void>;
}

/** What LangGraph asks of a saver, as it is done here. */
export interface SaverMethods {
  getTuple(config: ConfigShape): Promise<TupleShape | undefined>;
  list(config: ConfigShape, options?: ListOptionsShape): AsyncGenerator<TupleShape>;
  put(config: ConfigShape, checkpoint: CheckpointShape, ...rest: Rest): Promise<ConfigShape>;
  putWrites(
    config: ConfigShape,
    writes: readonly (readonly [string, unknown])[],
    ...rest: [taskId: string, taskPath?: string | undefined]
  ): Promise<void>;
  deleteThread(threadId: string): Promise<void>;
}

/** What a saver is made of. */
export interface CreateSaverOptions<Instance> {
  /** The class of `@langchain/langgraph-checkpoint`. */
  readonly BaseCheckpointSaver: abstract new (
    serde?: never,
  ) => Instance;
  readonly store: ContextStore;
  /** Default: LangGraph's own. One that encrypts is stored whole at each change: its bytes have no parts that come again. */
  readonly serde?: SerializerShape;
}

/** Whoever does not say what changed means all. */
type Rest = [metadata: unknown, changed?: Readonly<Record<string, VersionShape>>];

type SaverClass = new (serde?: SerializerShape) => SaverBase;

/**
 * Makes a checkpoint saver for LangGraph on any store: `createSaver({ BaseCheckpointSaver, store })`.
 * Values are kept once for each change of them, and lists such as the messages of an agent by what is new in them; a
 * checkpoint and its values are written together or not at all. Where the store has a redactor, secrets in the state are taken out of
 * what is stored. Checkpoints of one thread may be written by several processes.
 */
export function createSaver<Instance extends object>({
  BaseCheckpointSaver,
  store,
  serde: given,
}: CreateSaverOptions<Instance>): Instance & SaverExtras {
  const host = saverHost(store);
  // The class is the host's: what it is called with and what it brings along is all that is needed of it.
  const Base = BaseCheckpointSaver as unknown as SaverClass;
  class CtxSaver extends Base implements SaverExtras, SaverMethods {
    async getTuple(config: ConfigShape): Promise<TupleShape | undefined> {
      return findGraphCheckpoint({ host, serde: this.serde }, config);
    }

    async *list(config: ConfigShape, options?: ListOptionsShape): AsyncGenerator<TupleShape> {
      yield* listCheckpoints({ host, serde: this.serde }, config, options);
    }

    async put(
      config: ConfigShape,
      checkpoint: CheckpointShape,
      ...[metadata, changed = checkpoint.channel_versions]: Rest
    ): Promise<ConfigShape> {
      const dumper = { serde: this.serde, redactor: store.redactor };
      return saveCheckpoint(host, dumper, { config, checkpoint, metadata, changed });
    }

    async putWrites(
      config: ConfigShape,
      writes: readonly (readonly [string, unknown])[],
      ...[taskId, taskPath = '']: [string, (string | undefined)?]
    ): Promise<void> {
      const dumper = { serde: this.serde, redactor: store.redactor };
      await saveWrites(host, dumper, { config, writes, taskId, taskPath });
    }

    async deleteThread(threadId: string): Promise<void> {
      await deleteThread(host, threadId);
    }

    async prune(threadId: string, options?: PruneOptions): Promise<PruneReceipt> {
      return pruneThread(host, threadId, options);
    }

    async copyThread(from: string, to: string): Promise<number> {
      return copyThread(host, from, to);
    }

    async expireThreads(options: { readonly olderThanMs: number }): Promise<readonly string[]> {
      return expireThreads(host, options);
    }

    async clear(): Promise<void> {
      await clearThreads(host);
    }
  }
  // It has the methods that the abstract class leaves open; contract tests hold its type against the host's.
  return new CtxSaver(given) as unknown as Instance & SaverExtras;
}
