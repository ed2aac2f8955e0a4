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
import type { ImportCursor, WrittenTotals } from './import-mark.ts';
import { type ReadResult, startResultReader } from './read-results.ts';
import { type StoredResult, withoutResults } from './stored-event.ts';

/** Takes events in order and writes them batch by batch. */
export interface EventWriter {
  /** Returns whether a batch is full: write it with `flush`. */
  readonly add: (event: TranscriptEvent) => boolean;
  /** Takes note of an event that is stored already. */
  readonly skip: (event: TranscriptEvent) => void;
  readonly flush: () => Promise<void>;
  /** What is written. Contract: says nothing of what waits for `flush`. */
  readonly written: () => WrittenState;
}

/** What a writer left in the store. */
export type WrittenState = Pick<ImportCursor, 'events' | 'nextOutput' | 'totals'>;

/** What a writer needs. */
export interface EventWriterOptions {
  readonly sessionId: string;
  readonly redactor: Redactor;
  readonly countTokens: TokenCounter;
  /** What is stored already. */
  readonly from: WrittenState;
}

interface WaitingEvent {
  readonly event: TranscriptEvent;
  readonly tokens: number;
  readonly results: readonly ReadResult[];
}

const maxEvents = 250;
const maxCharacters = 500_000;

/** Sums that grow. */
interface Totals {
  outputs: number;
  outputBytes: number;
  outputTokens: number;
  failures: number;
  readonly tools: Map<string, number>;
  readonly redacted: Map<string, number>;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function startTotals({ tools, redacted, ...sums }: WrittenTotals): Totals {
  const maps = {
    tools: new Map(Object.entries(tools)),
    redacted: new Map(Object.entries(redacted)),
  };
  return { ...sums, ...maps };
}

function asWritten({ tools, redacted, ...sums }: Totals): WrittenTotals {
  return {
    ...sums,
    tools: Object.fromEntries(tools),
    redacted: Object.fromEntries(redacted),
  };
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
  outputIds: Iterator<string, unknown, undefined>,
): EventInput {
  const stored = results.map(({ block, form }): StoredResult => {
    const { done, value } = outputIds.next();
    return { block, form, output: done === true ? '' : value };
  });
  const light = (message: Message): TranscriptEvent => ({
    ...event,
    message: withoutResults(message, stored),
  });
  const { message, at, kind } = event;
  const payload = { event: message === undefined ? event : light(message), results: stored };
  return { type: kind, tokens, payload, ...(at === undefined ? {} : { at }) };
}

function countResults(totals: Totals, receipts: readonly OutputReceipt[]): void {
  for (const { pointer } of receipts) {
    totals.outputs += 1;
    totals.outputBytes += pointer.bytes;
    totals.outputTokens += pointer.tokens;
    add(totals.tools, pointer.toolName, 1);
  }
}

/** Events of a batch, and what is counted with them. */
interface Batch {
  waiting: WaitingEvent[];
  characters: number;
  redacted: Map<string, number>;
}

const emptyBatch = (): Batch => ({ waiting: [], characters: 0, redacted: new Map() });

const hasCall = ({ message }: TranscriptEvent): boolean =>
  message?.content.some(({ type }) => type === 'tool_use') ?? false;

/** Writer of one session's log and outputs. Contract: content is redacted before anything else is done with it. */
export function startEventWriter(
  store: ContextStore,
  { sessionId, redactor, countTokens, from }: EventWriterOptions,
): EventWriter {
  const totals = startTotals(from.totals);
  const reader = startResultReader(sessionId);
  let events = from.events;
  let nextOutput = from.nextOutput;
  let batch = emptyBatch();
  return {
    written: () => ({ events, nextOutput, totals: asWritten(totals) }),
    skip: (event) => {
      // Only calls are kept in mind.
      reader.read(hasCall(event) ? redactEvent(event, redactor, new Map()) : event);
    },
    add: (raw) => {
      const event = redactEvent(raw, redactor, batch.redacted);
      const results = reader.read(event);
      const { message } = event;
      const tokens = message === undefined ? 0 : countMessage(message, { counter: countTokens });
      batch.waiting.push({ event, tokens, results });
      batch.characters += raw.source.length;
      return batch.waiting.length >= maxEvents || batch.characters >= maxCharacters;
    },
    flush: async () => {
      const { waiting, redacted } = batch;
      batch = emptyBatch();
      const results = waiting.flatMap((one) => one.results);
      const inputs = results.map(({ input }) => input);
      const receipts = inputs.length === 0 ? [] : await store.outputs.saveAll(inputs);
      const ids = receipts.map(({ pointer }) => pointer.id)[Symbol.iterator]();
      const entries = waiting.map((one) => inputOf(one, ids));
      if (entries.length > 0) await store.events.append(sessionId, entries, { first: events });
      events += entries.length;
      nextOutput = (receipts.at(-1)?.pointer.sequence ?? nextOutput - 1) + 1;
      countResults(totals, receipts);
      totals.failures += results.filter(({ isError }) => isError).length;
      for (const [kind, count] of redacted) add(totals.redacted, kind, count);
    },
  };
}
