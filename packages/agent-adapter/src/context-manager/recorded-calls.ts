import {
  type ContextPointer,
  type ContextStore,
  encodeValue,
  fingerprintOfEncoded,
  signsOfCall,
} from '@ctx/core';
import type { StoredResult } from '@ctx/truncation';
import { outputIdOf } from '../pointer-uri.ts';
import type { RecordedOutput } from '../record-tool-output.ts';

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
  storedResult(callId: string, text: string): StoredResult | undefined;
  /** Whether it is known, without a question to the store, that the call was not recorded before. */
  isNew(callId: string): boolean;
  /** The output that was recorded for the call before with the same result, by this process or another. */
  find(call: RecordedCall, result: unknown): Promise<ContextPointer | undefined>;
  forget(): void;
}

/** Calls whose content in the message is at hand, the newest. */
const maxContents = 256;

/** Most that one page may hold. */
const maxPageSize = 1000;

const signLength = signsOfCall('').length;

async function readSigns(store: ContextStore, sessionId: string): Promise<Map<string, string[]>> {
  const signs = new Map<string, string[]>();
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await store.outputs.pointers({ sessionId, limit: maxPageSize, ...place });
    for (const { id } of page.entries) addSigns(signs, id.slice(-signLength), id);
    after = page.next;
  } while (after !== undefined);
  return signs;
}

function addSigns(signs: Map<string, string[]>, ending: string, id: string): void {
  const known = signs.get(ending);
  if (known === undefined) signs.set(ending, [id]);
  else known.push(id);
}

/** The fingerprint that the store gives to a result. */
export function printOf(
  { redactor }: ContextStore,
  { input }: Pick<RecordedCall, 'input'>,
  result: unknown,
): string {
  const encoded = { args: encodeValue(input), result: encodeValue(result) };
  return fingerprintOfEncoded(redactor.redact(encoded).value.result);
}

/**
 * Remembers which output belongs to which call, so that recording a call again gives the same bytes.
 * Contract: an id that comes again with another result is another call. Cost: the pointers of the session are read once, on the
 * first question about a call of before.
 */
export function recordedCalls(store: ContextStore, sessionId: string): RecordedCalls {
  const contents = new Map<string, { readonly text: string; readonly kept: StoredResult }>();
  let signs: Map<string, string[]> | undefined;
  let reading: Promise<Map<string, string[]>> | undefined;
  const known = async (): Promise<Map<string, string[]>> => {
    reading ??= readSigns(store, sessionId);
    try {
      signs ??= await reading;
      return signs;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
  return {
    note: (
      callId,
      { content, offloaded, pointer, receipt },
      { text = content, isResult = false } = {},
    ) => {
      const output = outputIdOf(pointer);
      contents.delete(callId);
      // What ends with this process is kept by the log of the window.
      if (receipt.isVolatile === true) return;
      contents.set(callId, { text, kept: { output, isWhole: !offloaded && isResult } });
      const [oldest] = contents.keys();
      if (contents.size > maxContents && oldest !== undefined) contents.delete(oldest);
      if (signs !== undefined) addSigns(signs, signsOfCall(callId), output);
    },
    storedResult: (callId, text) => {
      const found = contents.get(callId);
      return found?.text === text ? found.kept : undefined;
    },
    isNew: (callId) => signs?.has(signsOfCall(callId)) === false,
    find: async (call, result) => {
      const ids = (await known()).get(signsOfCall(call.id)) ?? [];
      if (ids.length === 0) return undefined;
      const print = printOf(store, call, result);
      for (const id of ids) {
        const pointer = await store.outputs.pointer({ id, sessionId });
        if (pointer?.fingerprint === print && pointer.toolName === call.name) return pointer;
      }
      return undefined;
    },
    forget: () => {
      contents.clear();
      signs = undefined;
      reading = undefined;
    },
  };
}
