import { isCtxError } from '@ctx/core';
import { decodeValue, encodeValue, outputText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import type { RecordedCall, RecordedCalls } from '@ctx/truncation';
import { type RecordedOutput, type RecordOptions, recordToolOutput } from '@ctx/truncation';
import { checkSignal } from '../check-signal.ts';
import type { EventHub } from '../manager-events.ts';
import { codeOf, type Degradation } from '../request/degradation.ts';

/** What goes into the message for a call. */
export interface RecordedContent extends Pick<RecordedOutput, 'content' | 'offloaded' | 'tokens'> {
  /** `ctx://outputs/<id>`; absent where the store could not be used. */
  readonly pointer?: string;
  /** Whether `content` is the text of the result, as the tool returned it: neither a preview nor redacted. */
  readonly isUnchanged: boolean;
  /** Whether the call was recorded before with this result. */
  readonly repeated: boolean;
  /** Why the result stands in `content` whole, whatever its size: the store failed. */
  readonly degraded?: Degradation;
}

/** Which call this was, where it belongs, and how it is shown. */
export interface RecordCallOptions extends Omit<RecordOptions, 'recorded'> {
  readonly queryId?: string;
  readonly taskId?: string;
  /** How the result reads in its message where it stays whole, if not as `content`: such as JSON without blanks. */
  readonly shownAs?: string;
  /** Aborted before the result is stored, the call stores nothing and throws `CTX_ABORTED`. */
  readonly signal?: AbortSignal;
}

/** What recording needs. */
export interface CallRecorder {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly calls: RecordedCalls;
  readonly hub: EventHub;
}

/** A call that returned. */
export interface ReturnedCall {
  readonly call: RecordedCall;
  readonly result: unknown;
  readonly options: RecordCallOptions;
}

/** A copy that does not change while the store is asked. */
function heldStill(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  return decodeValue(encodeValue(result));
}

async function record(
  { store, sessionId, calls, hub }: CallRecorder,
  { call, result, options: { queryId, taskId, shownAs, signal, ...options } }: ReturnedCall,
  text: string,
): Promise<RecordedContent> {
  checkSignal(signal);
  const held = calls.isNew(call.id) ? result : heldStill(result);
  const known = calls.isNew(call.id) ? undefined : await calls.find(call, held);
  checkSignal(signal);
  const place = {
    ...(queryId === undefined ? {} : { queryId }),
    ...(taskId === undefined ? {} : { taskId }),
  };
  const { id: callId, name: toolName, input: args } = call;
  const input = { sessionId, toolName, args, result: held, text, callId };
  const given = known === undefined ? options : { ...options, recorded: known };
  const output = await recordToolOutput(store, { ...input, ...place }, given);
  const isResult = typeof result === 'string';
  const shown = output.offloaded || shownAs === undefined ? {} : { text: shownAs };
  calls.note(call.id, output, { ...shown, isResult });
  hub.tell('recorded', { callId: call.id, output });
  const { content, offloaded, tokens, pointer } = output;
  const isUnchanged = content === text;
  return { content, offloaded, tokens, pointer, isUnchanged, repeated: known !== undefined };
}

/**
 * Records what a tool returned. The same call with the same result is stored once and gives the same bytes, also after a
 * restart; where the store fails the result goes through whole, and the answer says so.
 * @throws `CTX_ABORTED`, nothing else.
 */
export async function recordCall(
  recorder: CallRecorder,
  returned: ReturnedCall,
): Promise<RecordedContent> {
  const text = outputText(returned.result); // Before anything waits: the caller may change the result meanwhile.
  try {
    return await record(recorder, returned, text);
  } catch (error) {
    if (isCtxError(error, 'CTX_ABORTED')) throw error;
    const degraded: Degradation = { during: 'record', code: codeOf(error), error };
    recorder.hub.tell('degraded', degraded);
    const tokens = recorder.store.countTokens(text);
    return {
      ...{ content: text, offloaded: false, tokens, isUnchanged: true },
      ...{ repeated: false, degraded },
    };
  }
}
