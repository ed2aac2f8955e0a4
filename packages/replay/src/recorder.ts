import type { Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import {
  isSameResult,
  type RecordedOutput,
  type RecordOptions,
  recordToolOutput,
  resultValueOf,
} from '@ctx/truncation';
import { type IndexedText, indexText } from './measure-evidence.ts';
import type { RecoverableResult } from './policy-lane.ts';
import type { SavedTotal } from './replay-report.ts';

/** Stores the results of a session as they come in, and remembers what became of them. */
export interface Recorder {
  /** Stores the results in a message; the answer is by call id. */
  record(message: Message): Promise<ReadonlyMap<string, RecordedOutput>>;
  /** The text of a stored output, read once. */
  storedText(outputId: string): Promise<IndexedText>;
  /** Reads everything back and compares it with what was recorded. */
  results(): Promise<readonly RecoverableResult[]>;
  saved(): SavedTotal;
}

export interface RecorderOptions {
  readonly store: ContextStore;
  readonly record?: RecordOptions;
}

type SavedSums = { -readonly [Name in keyof SavedTotal]: SavedTotal[Name] };

function addSaved(sums: SavedSums, { offloaded, receipt }: RecordedOutput): void {
  sums.outputs += 1;
  sums.bytes += receipt.pointer.bytes;
  sums.offloaded += offloaded ? 1 : 0;
  sums.shared += receipt.sameAs === undefined ? 0 : 1;
  sums.redacted += receipt.redaction.total;
}

/** Makes a recorder. Keeps the texts that were asked for in memory. */
export function createRecorder(sessionId: string, { store, record }: RecorderOptions): Recorder {
  const calls = new Map<string, ToolUseBlock>();
  const texts = new Map<string, IndexedText>();
  const results: Omit<RecoverableResult, 'readsBack'>[] = [];
  const sums = { outputs: 0, bytes: 0, offloaded: 0, shared: 0, redacted: 0 };
  const recordResult = async (block: ToolResultBlock): Promise<RecordedOutput> => {
    const { name: toolName = 'unknown', input: args = {} } = calls.get(block.toolUseId) ?? {};
    const input = { sessionId, toolName, args, result: resultValueOf(block) };
    const recorded = await recordToolOutput(store, input, record);
    const isText = block.content.every(({ type }) => type === 'text');
    // Images and their like stay in view: no preview can stand for them.
    const output = isText ? recorded : { ...recorded, offloaded: false };
    results.push({ block, outputId: output.receipt.pointer.id });
    addSaved(sums, output);
    return output;
  };
  const readBack = async (outputId: string, block: ToolResultBlock): Promise<boolean> => {
    const output = await store.outputs.load({ sessionId, id: outputId });
    return output !== undefined && isSameResult(block, output.result);
  };
  return {
    record: async (message) => {
      const outputs = new Map<string, RecordedOutput>();
      for (const block of message.content) {
        if (block.type === 'tool_use') calls.set(block.id, block);
        if (block.type === 'tool_result') outputs.set(block.toolUseId, await recordResult(block));
      }
      return outputs;
    },
    storedText: async (id) => {
      const known = texts.get(id);
      if (known !== undefined) return known;
      const output = await store.outputs.load({ sessionId, id });
      const text = indexText(output === undefined ? '' : outputText(output.result));
      texts.set(id, text);
      return text;
    },
    results: async () => {
      const checked: RecoverableResult[] = [];
      for (const result of results) {
        checked.push({ ...result, readsBack: await readBack(result.outputId, result.block) });
      }
      return checked;
    },
    saved: () => ({ ...sums }),
  };
}
