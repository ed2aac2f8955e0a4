import type { Message, TokenCounter } from '@ctx/core';
import { decodeValue, encodeValue, isPlainData } from '@ctx/core/encoding';
import type { Redactor } from '@ctx/redact';
import { messageCounter } from '@ctx/tokens';
import { withoutResults } from '../stored/stored-event.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { type ReadResult, startResultReader } from './reading/read-results.ts';

/** An event that is ready to be stored, but for the ids of its outputs. Plain data, so that a thread can hand it over. */
export interface PreparedEvent {
  readonly kind: TranscriptEvent['kind'];
  readonly at?: number;
  /** Of all that the message holds but results that are one text: those are counted as outputs. */
  readonly tokens: number;
  /** The same of each block. */
  readonly sizes: readonly number[];
  /** The event without the content of its results, as JSON text of its encoded form; the event itself where that has no plain form. */
  readonly event: string | TranscriptEvent;
  readonly results: readonly ReadResult[];
}

/** Events that are written together, and the secrets that were found in them, by kind. */
export interface PreparedBatch {
  readonly events: readonly PreparedEvent[];
  readonly redacted: Readonly<Record<string, number>>;
}

/** Makes events ready, batch by batch. */
export interface EventPreparer {
  /** Returns whether the batch is full: `take` it. */
  readonly add: (event: TranscriptEvent) => boolean;
  /** Takes note of an event that is stored already. */
  readonly skip: (event: TranscriptEvent) => void;
  /** What was added since the last time. */
  readonly take: () => PreparedBatch;
}

/** How events are made ready. */
export interface PrepareOptions {
  readonly sessionId: string;
  readonly redactor: Redactor;
  readonly countTokens: TokenCounter;
}

const maxEvents = 250;
const maxCharacters = 500_000;

/** What an event holds beside its place. */
type Content = Pick<TranscriptEvent, 'message' | 'extra'>;

/** An event without secrets. */
interface CleanEvent {
  readonly event: TranscriptEvent;
  /** Its encoded form where that has the members of an event, as all of them do that are not deep as a well. */
  readonly encoded: TranscriptEvent | undefined;
}

const contentOf = ({ message, extra }: Content): Content => ({
  ...(message === undefined ? {} : { message }),
  ...(extra === undefined ? {} : { extra }),
});

/** Plain data is its own encoded form; what is not has the same members, or is a table of another form. */
function encodedFormOf(event: TranscriptEvent): TranscriptEvent | undefined {
  if (isPlainData(event)) return event;
  const whole = encodeValue(event) as unknown as TranscriptEvent;
  return Object.hasOwn(whole, 'kind') ? whole : undefined;
}

function redactEvent(
  event: TranscriptEvent,
  redactor: Redactor,
  counts: Map<string, number>,
): CleanEvent {
  const encoded = encodedFormOf(event);
  const content = encoded === undefined ? encodeValue(contentOf(event)) : contentOf(encoded);
  const { value, receipt } = redactor.redact(content);
  for (const [kind, count] of Object.entries(receipt.counts)) {
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  if (receipt.mode !== 'on' || receipt.total === 0) return { event, encoded };
  // The redactor keeps the shape: only text is different.
  const clean = value as Content;
  return {
    event: { ...event, ...(decodeValue(clean) as Content) },
    encoded: encoded && { ...encoded, ...clean },
  };
}

/** The event without its results. */
function lightOf(event: TranscriptEvent, results: readonly ReadResult[]): TranscriptEvent {
  const { message } = event;
  if (message === undefined || results.length === 0) return event;
  return { ...event, message: withoutResults(message, results) };
}

/** Counts a message but for results that are one text. */
function countedMessage(message: Message, results: readonly ReadResult[]): Message {
  return withoutResults(
    message,
    results.filter(({ form }) => form === 'text'),
  );
}

const noContent: Message = { role: 'user', content: [] };

/** The tokens of a message whose blocks were counted as messages of their own. `alone`: of one without blocks. */
function sumOf(sizes: readonly number[], alone = 0): Pick<PreparedEvent, 'tokens' | 'sizes'> {
  return { tokens: sizes.reduce((sum, size) => sum + size - alone, alone), sizes };
}

const hasCall = ({ message }: TranscriptEvent): boolean =>
  message?.content.some(({ type }) => type === 'tool_use') ?? false;

/** Starts with the first event of a session. Content is redacted before anything else is done with it. */
export function startPreparing({
  sessionId,
  redactor,
  countTokens,
}: PrepareOptions): EventPreparer {
  const reader = startResultReader(sessionId);
  const tokensOf = messageCounter({ counter: countTokens });
  const sizesOf = ({ role, content }: Message): number[] =>
    content.map((block) => tokensOf({ role, content: [block] }));
  let events: PreparedEvent[] = [];
  let characters = 0;
  let redacted = new Map<string, number>();
  const prepare = (raw: TranscriptEvent): PreparedEvent => {
    const { event, encoded } = redactEvent(raw, redactor, redacted);
    const { kind, at, message } = event;
    const results = reader.read(event);
    const counted = message && countedMessage(message, results);
    return {
      kind,
      ...(at === undefined ? {} : { at }),
      ...sumOf(counted === undefined ? [] : sizesOf(counted), counted && tokensOf(noContent)),
      event:
        encoded === undefined ? lightOf(event, results) : JSON.stringify(lightOf(encoded, results)),
      results,
    };
  };
  return {
    skip: (event) => {
      // Only calls are kept in mind.
      reader.read(hasCall(event) ? redactEvent(event, redactor, new Map()).event : event);
    },
    add: (event) => {
      events.push(prepare(event));
      characters += event.source.length;
      return events.length >= maxEvents || characters >= maxCharacters;
    },
    take: () => {
      const batch = { events, redacted: Object.fromEntries(redacted) };
      events = [];
      characters = 0;
      redacted = new Map();
      return batch;
    },
  };
}
