import {
  type ContextStore,
  decodeValue,
  encodeValue,
  type EventInput,
  type Message,
  type OutputReceipt,
  type Redactor,
  type TokenCounter,
} from '@ctx/core';
import { countMessage } from '@ctx/tokens';
import type { TranscriptEvent } from '@ctx/transcripts';
import { type ReadResult, startResultReader } from './read-results.ts';
import { type StoredResult, withoutResults } from './stored-event.ts';

/** What was written so far. */
export interface ImportTotals {
  outputs: number;
  outputBytes: number;
  outputTokens: number;
  /** Results that the tool called an error. */
  failures: number;
  readonly tools: Map<string, number>;
  readonly redacted: Map<string, number>;
}

/** Takes events in order and writes them batch by batch. */
export interface EventWriter {
  /** Returns whether a batch is full: write it with `flush`. */
  readonly add: (event: TranscriptEvent) => boolean;
  readonly flush: () => Promise<void>;
  readonly totals: ImportTotals;
}

/** What a writer needs. */
export interface EventWriterOptions {
  readonly sessionId: string;
  readonly redactor: Redactor;
  readonly countTokens: TokenCounter;
}

interface WaitingEvent {
  readonly event: TranscriptEvent;
  readonly tokens: number;
  readonly results: readonly ReadResult[];
}

const maxEvents = 200;
const maxCharacters = 4_000_000;

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function startTotals(): ImportTotals {
  const counts = { outputs: 0, outputBytes: 0, outputTokens: 0, failures: 0 };
  return { ...counts, tools: new Map(), redacted: new Map() };
}

function redactEvent(
  event: TranscriptEvent,
  redactor: Redactor,
  counts: Map<string, number>,
): TranscriptEvent {
  const { message, extra } = event;
  const content = {
    ...(message === undefined ? {} : { message }),
    ...(extra === undefined ? {} : { extra }),
  };
  const { value, receipt } = redactor.redact(encodeValue(content));
  for (const [kind, count] of Object.entries(receipt.counts)) add(counts, kind, count);
  if (receipt.mode !== 'on' || receipt.total === 0) return event;
  // The redactor keeps the shape: only text is different.
  return { ...event, ...(decodeValue(value) as typeof content) };
}

/** The entry of the log: the event without its results, and where they are. */
function inputOf(
  { event, tokens, results }: WaitingEvent,
  outputIds: readonly string[],
): EventInput {
  const stored = results.map(
    ({ block, form }, index): StoredResult => ({ block, form, output: outputIds[index] ?? '' }),
  );
  const light = (message: Message): TranscriptEvent => ({
    ...event,
    message: withoutResults(message, stored),
  });
  const { message, at, kind } = event;
  const payload = { event: message === undefined ? event : light(message), results: stored };
  return { type: kind, tokens, payload, ...(at === undefined ? {} : { at }) };
}

function countResults(totals: ImportTotals, receipts: readonly OutputReceipt[]): void {
  for (const { pointer } of receipts) {
    totals.outputs += 1;
    totals.outputBytes += pointer.bytes;
    totals.outputTokens += pointer.tokens;
    add(totals.tools, pointer.toolName, 1);
  }
}

/** Writer of one session's log and outputs. Contract: content is redacted before anything else is done with it. */
export function startEventWriter(
  store: ContextStore,
  { sessionId, redactor, countTokens }: EventWriterOptions,
): EventWriter {
  const totals = startTotals();
  const reader = startResultReader(sessionId);
  let waiting: WaitingEvent[] = [];
  let characters = 0;
  return {
    totals,
    add: (raw) => {
      const event = redactEvent(raw, redactor, totals.redacted);
      const results = reader.read(event);
      const { message } = event;
      const tokens = message === undefined ? 0 : countMessage(message, { counter: countTokens });
      waiting.push({ event, tokens, results });
      totals.failures += results.filter(({ isError }) => isError).length;
      characters += raw.source.length;
      return waiting.length >= maxEvents || characters >= maxCharacters;
    },
    flush: async () => {
      const inputs = waiting.flatMap(({ results }) => results.map(({ input }) => input));
      const receipts = inputs.length === 0 ? [] : await store.outputs.saveAll(inputs);
      countResults(totals, receipts);
      const ids = receipts.map(({ pointer }) => pointer.id);
      const events = waiting.map((one) => inputOf(one, ids.splice(0, one.results.length)));
      if (events.length > 0) await store.events.append(sessionId, events);
      waiting = [];
      characters = 0;
    },
  };
}
