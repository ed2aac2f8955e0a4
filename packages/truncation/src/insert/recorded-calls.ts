import type { ContextPointer } from '@ctx/core';
import { encodeValue, fingerprintOfEncoded } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import type { RecordedResult } from '../window-session/log/save-results.ts';
import { callSigns } from './call-hashes.ts';
import { outputIdOf, pointerUri } from './pointer-uri.ts';
import type { RecordedOutput } from './record-tool-output.ts';

/** A call of a tool, as the model made it. */
export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** How a result stands in its message. */
export interface ShownResult {
  /** Its text there; default: the content that was recorded. */
  readonly text?: string;
  /** Whether that is the result itself, sign for sign: only then it can be read from the output. Default false. */
  readonly isResult?: boolean;
}

/** What of the recorded outputs is at hand: by the id of the call. */
export interface RecordedCalls {
  note(callId: string, recorded: RecordedOutput, shown?: ShownResult): void;
  /** Where a result is kept that stands in a message as it was recorded. */
  storedResult(callId: string, text: string): RecordedResult | undefined;
  /**
   * The same from the store, for calls that another process recorded before it ended. Costs as much as `find`; nothing where the session
   * has no output of such a call.
   */
  findStored(call: RecordedCall, text: string): Promise<RecordedResult | undefined>;
  /** Whether it is known, without a question to the store, that the call was not recorded before. */
  isNew(callId: string): boolean;
  /** The output that was recorded for the call before with the same result, by this process or another. */
  find(call: RecordedCall, result: unknown): Promise<ContextPointer | undefined>;
  forget(): void;
}

/** Calls whose content in the message is at hand, the newest. */
const maxContents = 256;

/** The fingerprint that the store gives to a result. */
export function printOf(
  { redactor }: ContextStore,
  { input }: Pick<RecordedCall, 'input'>,
  result: unknown,
): string {
  const encoded = { args: encodeValue(input), result: encodeValue(result) };
  return fingerprintOfEncoded(redactor.redact(encoded).value.result);
}

interface Candidates {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly ids: readonly string[];
}

/** The one of several outputs that is of this call, with this result. */
async function findOutput(
  { store, sessionId, ids }: Candidates,
  call: RecordedCall,
  result: unknown,
): Promise<ContextPointer | undefined> {
  if (ids.length === 0) return undefined;
  const print = printOf(store, call, result);
  for (const id of ids) {
    const pointer = await store.outputs.pointer({ id, sessionId });
    if (pointer?.fingerprint === print && pointer.toolName === call.name) return pointer;
  }
  return undefined;
}

/**
 * Remembers which output belongs to which call, so that recording a call again gives the same bytes.
 * An id that comes again with another result is another call. The pointers of the session are read once, on the
 * first question about a call of before.
 */
export function recordedCalls(store: ContextStore, sessionId: string): RecordedCalls {
  const contents = new Map<string, { readonly text: string; readonly kept: RecordedResult }>();
  let hasVolatile = false;
  const signs = callSigns(store, sessionId);
  const find = async (call: RecordedCall, result: unknown): Promise<ContextPointer | undefined> =>
    findOutput({ store, sessionId, ids: await signs.idsOf(call.id) }, call, result);
  return {
    note: (
      callId,
      { content, offloaded, pointer, receipt },
      { text = content, isResult = false } = {},
    ) => {
      const output = outputIdOf(pointer);
      contents.delete(callId);
      // What ends with this process is kept by the log of the window.
      if (receipt.isVolatile === true) {
        hasVolatile = true;
        return;
      }
      contents.set(callId, { text, kept: { output, isWhole: !offloaded && isResult } });
      const [oldest] = contents.keys();
      if (contents.size > maxContents && oldest !== undefined) contents.delete(oldest);
      signs.add(callId, output);
    },
    storedResult: (callId, text) => {
      const found = contents.get(callId);
      return found?.text === text ? found.kept : undefined;
    },
    isNew: (callId) => signs.isNew(callId),
    find,
    findStored: async (call, text) => {
      if (hasVolatile) return undefined;
      const ids = await signs.idsOf(call.id);
      // A preview names the output that it stands for.
      const shown = ids.find((id) => text.includes(pointerUri(id)));
      if (shown !== undefined) return { output: shown, isWhole: false };
      const whole = ids.length === 0 ? undefined : await find(call, text);
      return whole && { output: whole.id, isWhole: true };
    },
    forget: () => {
      contents.clear();
      signs.forget();
    },
  };
}
