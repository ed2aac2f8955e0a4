import type { ItemShape, RunContextShape } from '../host-types.ts';
import type { SessionUsage } from './compact-history.ts';

/** Adds items, or puts others in the place of the newest. */
export type HistoryTransaction<Item extends ItemShape> =
  | { readonly type: 'append_items'; readonly items: readonly Item[] }
  | {
      readonly type: 'replace_suffix';
      readonly expectedSuffix: readonly Item[];
      readonly replacement: readonly Item[];
    };

/** A transaction with the name under which it may come again. */
export interface TransactionArgs<Item extends ItemShape> {
  readonly operationId: string;
  readonly transaction: HistoryTransaction<Item>;
}

/** Puts another call in the place of a stored one. */
export interface ReplaceCallMutation {
  readonly type: 'replace_function_call';
  readonly callId: string;
  readonly replacement: ItemShape;
}

/** A session of the OpenAI Agents SDK whose history is in a store. */
export interface AgentSession<Item extends ItemShape> {
  readonly acceptsRunContext: true;
  getSessionId(): Promise<string>;
  /** All items, or the newest, at most `limit`, beginning where every provider takes a history. */
  getItems(limit?: number, runContext?: RunContextShape): Promise<Item[]>;
  /** All or none. */
  addItems(items: Item[], runContext?: RunContextShape): Promise<void>;
  popItem(runContext?: RunContextShape): Promise<Item | undefined>;
  /** Forgets the operations that were taken, too. */
  clearSession(runContext?: RunContextShape): Promise<void>;
  /** Replaces the items that existed when the run began, in one write; items that other processes added since follow them. */
  replaceHistoryWithCompaction(items: Item[], runContext?: RunContextShape): Promise<void>;
  /**
   * History and operation are written together; the same operation again changes nothing.
   * @throws `CTX_INVALID_INPUT` for an empty name, a name that stands for another transaction, or a suffix that does not match; nothing is
   * changed then.
   */
  applyHistoryTransaction(args: TransactionArgs<Item>, runContext?: RunContextShape): Promise<void>;
  applyHistoryMutations(
    args: { readonly mutations: readonly ReplaceCallMutation[] },
    runContext?: RunContextShape,
  ): Promise<void>;
}

/** With the hook that the SDK calls when a turn is stored. */
export interface CompactingSession<Item extends ItemShape> extends AgentSession<Item> {
  runCompaction(
    args?: { readonly force?: boolean },
    runContext?: RunContextShape,
  ): Promise<{ usage: SessionUsage } | null>;
}
