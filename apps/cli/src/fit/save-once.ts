import {
  type ContextStore,
  fingerprintText,
  type OutputInput,
  type OutputReceipt,
  type Redactor,
} from '@ctx/core';

/** Where outputs of a fit go. */
export interface SaveOnceOptions {
  readonly redactor: Redactor;
  /** Time of every output, ms since the epoch: of the transcript, so that ids are the same at every run. */
  readonly createdAt: number;
}

/**
 * The same store, whose `outputs.save` gives back what the session holds already instead of storing it again.
 * Contract: equal calls with equal results are one output; ids depend on session, order and content alone.
 */
export function savesOnce(
  store: ContextStore,
  { redactor, createdAt }: SaveOnceOptions,
): ContextStore {
  const save = async (input: OutputInput): Promise<OutputReceipt> => {
    const { sessionId, toolName, args, result } = input;
    const taskId = `fit-${fingerprintText(JSON.stringify([toolName, args, result])).slice(0, 24)}`;
    const { entries } = await store.outputs.pointers({ sessionId, taskId, limit: 1 });
    const [pointer] = entries;
    if (pointer === undefined) return store.outputs.save({ ...input, taskId, createdAt });
    return { pointer, redaction: redactor.redact({ args, result }).receipt };
  };
  return { ...store, outputs: { ...store.outputs, save } };
}
