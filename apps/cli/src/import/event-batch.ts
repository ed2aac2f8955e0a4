import {
  type ContextStore,
  decodeValue,
  encodeValue,
  type EventInput,
  type Message,
  type OutputInput,
  type OutputReceipt,
  type Redactor,
  type TokenCounter,
  type ToolUseBlock,
} from '@ctx/core';
import { countMessage } from '@ctx/tokens';
import type { TranscriptEvent } from '@ctx/transcripts';
import { resultOf, type StoredResult, withoutResults } from './stored-event.ts';

/** What was written so far. */
export interface ImportTotals {
  events: number;
  messages: number;
  outputs: number;
  outputBytes: number;
  outputTokens: number;
  failures: number;
  readonly tools: Map<string, number>;
  readonly redacted: Map<string, number>;
}

/** Takes events in order and writes them batch by batch. */
export interface EventWriter {
  /** Whether a batch is full: write it with `flush`. */
  add(event: TranscriptEvent): boolean;
  flush(): Promise<void>;
  readonly totals: ImportTotals;
}

interface WaitingResult {
  readonly block: number;
  readonly form: StoredResult['form'];
  /** Index into the outputs of the batch. */
  readonly output: number;
}

interface WaitingEvent {
  readonly event: TranscriptEvent;
  readonly tokens: number;
  readonly results: readonly WaitingResult[];
}

const maxEvents = 200;
const maxCharacters = 4_000_000;

/** Writer of one session's log and outputs. Contract: content is redacted before anything else is done with it. */
export function startEventWriter(
  store: ContextStore,
  sessionId: string,
  { redactor, countTokens }: { redactor: Redactor; countTokens: TokenCounter },
): EventWriter {
  const totals: ImportTotals = {
    events: 0,
    messages: 0,
    outputs: 0,
    outputBytes: 0,
    outputTokens: 0,
    failures: 0,
    tools: new Map(),
    redacted: new Map(),
  };
  const reader = startCallReader(sessionId, totals);
  let waiting: WaitingEvent[] = [];
  let outputs: OutputInput[] = [];
  let characters = 0;

  const redacted = (event: TranscriptEvent): TranscriptEvent => {
    const { message, extra } = event;
    const { value, receipt } = redactor.redact(encodeValue({ message, extra }));
    for (const [kind, count] of Object.entries(receipt.counts)) add(totals.redacted, kind, count);
    if (receipt.mode !== 'on' || receipt.total === 0) return event;
    // The redactor keeps the shape: only text is different.
    return { ...event, ...(decodeValue(value) as Pick<TranscriptEvent, 'message' | 'extra'>) };
  };
  return {
    totals,
    add: (raw) => {
      const event = redacted(raw);
      const { message } = event;
      const taken = message === undefined ? [] : reader.take(event, message, outputs);
      const tokens = message === undefined ? 0 : countMessage(message, { counter: countTokens });
      waiting.push({ event, tokens, results: taken });
      characters += raw.source.length;
      return waiting.length >= maxEvents || characters >= maxCharacters;
    },
    flush: async () => {
      const receipts = outputs.length === 0 ? [] : await store.outputs.saveAll(outputs);
      for (const { pointer } of receipts) {
        totals.outputs += 1;
        totals.outputBytes += pointer.bytes;
        totals.outputTokens += pointer.tokens;
      }
      const inputs = waiting.map((one) => inputOf(one, receipts));
      if (inputs.length > 0) await store.events.append(sessionId, inputs);
      totals.events += waiting.length;
      totals.messages += waiting.filter(({ event }) => event.kind === 'message').length;
      waiting = [];
      outputs = [];
      characters = 0;
    },
  };
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function inputOf(
  { event, tokens, results }: WaitingEvent,
  receipts: readonly OutputReceipt[],
): EventInput {
  const stored = results.map(
    ({ block, form, output }): StoredResult => ({
      block,
      form,
      output: receipts[output]?.pointer.id ?? '',
    }),
  );
  const { message, at, kind } = event;
  const light =
    message === undefined ? event : { ...event, message: withoutResults(message, stored) };
  return {
    type: kind,
    tokens,
    payload: { event: light, results: stored },
    ...(at === undefined ? {} : { at }),
  };
}

interface CallReader {
  /** Adds the results of a message to `outputs` and says where they stood. */
  take(event: TranscriptEvent, message: Message, outputs: OutputInput[]): WaitingResult[];
}

function isPrompt({ role, content }: Message, { flags }: TranscriptEvent): boolean {
  const isOwn = flags?.scaffold !== true && flags?.summary !== true;
  return role === 'user' && isOwn && content.some(({ type }) => type === 'text');
}

/** Remembers calls and turns, so that each result knows what it answers. */
function startCallReader(sessionId: string, totals: ImportTotals): CallReader {
  const calls = new Map<string, ToolUseBlock>();
  const turns = new Map<string, number>();
  const nameOf = (lane: string, id: string): string => `${lane}\n${id}`;
  return {
    take: (event, message, outputs) => {
      const { lane, at } = event;
      if (isPrompt(message, event)) add(turns, lane, 1);
      const results: WaitingResult[] = [];
      for (const [index, block] of message.content.entries()) {
        if (block.type === 'tool_use') calls.set(nameOf(lane, block.id), block);
        if (block.type !== 'tool_result') continue;
        const call = calls.get(nameOf(lane, block.toolUseId));
        const { value, form } = resultOf(block);
        results.push({ block: index, form, output: outputs.length });
        add(totals.tools, call?.name ?? 'unknown', 1);
        if (block.isError === true) totals.failures += 1;
        outputs.push({
          sessionId,
          toolName: call?.name ?? 'unknown',
          args: call?.input ?? {},
          result: value,
          queryId: `turn-${String(turns.get(lane) ?? 0)}`,
          ...(lane === 'main' ? {} : { taskId: lane }),
          ...(at === undefined ? {} : { createdAt: at }),
        });
      }
      return results;
    },
  };
}
