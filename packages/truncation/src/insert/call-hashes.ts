import { type ContextStore, signsOfCall } from '@ctx/store';
import { sessionPointers } from './session-pointers.ts';

const signLength = signsOfCall('').length;

async function readSigns(store: ContextStore, sessionId: string): Promise<Map<string, string[]>> {
  const signs = new Map<string, string[]>();
  for await (const { id } of sessionPointers(store, sessionId)) {
    addSigns(signs, id.slice(-signLength), id);
  }
  return signs;
}

function addSigns(signs: Map<string, string[]>, ending: string, id: string): void {
  const known = signs.get(ending);
  if (known === undefined) signs.set(ending, [id]);
  else known.push(id);
}

/** Ids of outputs by the signs of their calls, which are their last signs. */
export interface CallSigns {
  /** Whether it is known, without a question to the store, that no output is of this call. */
  isNew(callId: string): boolean;
  /** Notes an output of a call. Nothing is kept before the first question. */
  add(callId: string, outputId: string): void;
  /** Outputs that may be of the call. Reads the pointers of the session the first time. */
  idsOf(callId: string): Promise<readonly string[]>;
  forget(): void;
}

/**
 * Does nothing until asked.
 * @throws what the store throws; then the next question reads again.
 */
export function callSigns(store: ContextStore, sessionId: string): CallSigns {
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
    isNew: (callId) => signs?.has(signsOfCall(callId)) === false,
    add: (callId, outputId) => {
      if (signs !== undefined) addSigns(signs, signsOfCall(callId), outputId);
    },
    idsOf: async (callId) => (await known()).get(signsOfCall(callId)) ?? [],
    forget: () => {
      signs = undefined;
      reading = undefined;
    },
  };
}
