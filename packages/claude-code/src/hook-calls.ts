import { type ContextPointer, isCtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { type ContextStore, collections } from '@ctx/store';

/** A call of a tool, by the ids that Claude Code gives. */
export interface HookCallName {
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly agentId?: string;
}

/** What is kept of a recorded call. */
export interface HookCall {
  readonly outputId: string;
  /** Version of the record: who changes it names the one that was read. */
  readonly version: number;
}

/** What a call saved the window. */
export interface HookSaving {
  readonly offloaded: boolean;
  /** Tokens of the result that the model does not see. */
  readonly savedTokens: number;
}

/** Calls of a session that hooks have recorded. */
export interface HookTally {
  readonly calls: number;
  readonly offloaded: number;
  readonly savedTokens: number;
}

function keyOf({ sessionId, agentId = '', toolUseId }: HookCallName): readonly string[] {
  // The ids are foreign, and may be of any length.
  return [sessionId, fingerprintText(JSON.stringify([agentId, toolUseId]))];
}

/** The record of a call, or `undefined`. Costs one look-up by key. */
export async function hookCall(
  store: ContextStore,
  name: HookCallName,
): Promise<HookCall | undefined> {
  const calls = store.records.collection(collections.hookCalls);
  const record = await calls.get(keyOf(name), 'columns');
  if (record === undefined) return undefined;
  return { outputId: String(record.columns['output_id']), version: record.version };
}

/** What is written down of a call. */
export interface NotedCall {
  readonly name: HookCallName;
  readonly pointer: ContextPointer;
  readonly saving: HookSaving;
  /** The record as it was read. */
  readonly known: HookCall | undefined;
}

/** Writes down which output a call has; `false` where another process did so since. */
export async function noteHookCall(
  store: ContextStore,
  { name, pointer, saving, known }: NotedCall,
): Promise<boolean> {
  const calls = store.records.collection(collections.hookCalls);
  const put = calls.put({
    key: keyOf(name),
    columns: {
      output_id: pointer.id,
      at: pointer.createdAt,
      offloaded: saving.offloaded ? 1 : 0,
      saved_tokens: Math.max(0, Math.round(saving.savedTokens)),
    },
    body: '{}',
    expectVersion: known?.version ?? 0,
  });
  try {
    await store.records.write([put]);
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
    throw error;
  }
}

/** Counts the recorded calls of a session. Makes one pass over the records in the backend. */
export async function tallyHookCalls(store: ContextStore, sessionId: string): Promise<HookTally> {
  const calls = store.records.collection(collections.hookCalls);
  const sums = ['offloaded', 'saved_tokens'];
  const [found] = await calls.tally({ index: 'key', equal: [sessionId], sums });
  const [offloaded = 0, savedTokens = 0] = found?.sums ?? [];
  return { calls: found?.count ?? 0, offloaded, savedTokens };
}
