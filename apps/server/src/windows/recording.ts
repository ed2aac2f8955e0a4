import type { ContentBlock, TokenCounter } from '@ctx/core';
import { measureContext } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { countRequest, messageCounter } from '@ctx/tokens';
import {
  importedEvents,
  requestsOf,
  type TranscriptEvent,
  toolsOf,
  viewAt,
} from '@ctx/transcripts';
import { pointerUri, type SessionLog } from '@ctx/truncation';
import { readSizes, type ReadTranscript } from './read-sizes.ts';

/** A block of the transcript, in the order of its log. */
export interface Place {
  readonly segment: number;
  readonly event: TranscriptEvent;
  readonly index: number;
  readonly block: ContentBlock;
}

/** What views of one transcript are made with. */
export interface Recording {
  readonly events: readonly TranscriptEvent[];
  readonly places: readonly Place[];
  readonly sizeOf: (block: ContentBlock) => number;
  readonly names: ReadonlyMap<string, string>;
  readonly pointers: ReadonlyMap<string, string>;
  /** Of system prompt and tools, as far as the transcript holds them. */
  readonly fixedTokens: number;
  /** What those consist of; missing where the transcript holds neither. */
  readonly fixed?: FixedParts;
  readonly windowTokens: number;
  /** Where the tokens of the last request went; missing where that can't be measured. */
  readonly use?: ContextUse;
}

type ContextUse = NonNullable<Awaited<ReturnType<typeof measureContext>>>;
type FixedParts = NonNullable<Awaited<ReturnType<SessionLog['view']>>['fixed']>;

/** The blocks that the model saw when the event `seq` had happened, by event. */
export function seenAt({ events }: Recording, seq: number): Map<number, readonly ContentBlock[]> {
  const { entries } = viewAt(events, seq);
  const seen = entries.flatMap((entry) => entry.events);
  return new Map(seen.map(({ seq: at, message }) => [at, message?.content ?? []]));
}

/** Tokens of everything that stood in a request when the event `seq` had happened. */
function sumAt(recording: Recording, seq: number): number {
  let sum = recording.fixedTokens;
  for (const blocks of seenAt(recording, seq).values()) {
    for (const block of blocks) sum += recording.sizeOf(block);
  }
  return sum;
}

/** Whether something left the view between two events, or came back. */
export function isTurn({ events }: Recording, from: number, to: number): boolean {
  return events
    .slice(Math.max(0, from), to + 1)
    .some(({ boundary, rewindTo }) => boundary !== undefined || rewindTo !== undefined);
}

/** Whether the order of the log alone decides what is in view. */
function isPlain({ events }: Recording): boolean {
  const ids = events.flatMap(({ id }) => id ?? []);
  return new Set(ids).size === ids.length && events.every(({ parentId }) => parentId === undefined);
}

/**
 * Makes a function that gives {@link sumAt} of events, asked in their order: where blocks only came in since the one before,
 * it adds those.
 */
export function sumsInOrder(recording: Recording): (seq: number) => number {
  const { places, sizeOf } = recording;
  const plain = isPlain(recording);
  let [last, sum, place] = [-1, recording.fixedTokens, 0];
  return (seq) => {
    if (!plain || isTurn(recording, last + 1, seq)) {
      sum = sumAt(recording, seq);
      while ((places[place]?.event.seq ?? Infinity) <= seq) place += 1;
    }
    for (let next = places[place]; next !== undefined && next.event.seq <= seq; place += 1) {
      sum += sizeOf(next.block);
      next = places[place + 1];
    }
    last = seq;
    return sum;
  };
}

/** Makes a function that counts each block once, and those that are known not at all. */
function blockSizes(
  countTokens: TokenCounter,
  known: WeakMap<ContentBlock, number>,
): (block: ContentBlock) => number {
  const count = messageCounter({ counter: countTokens });
  return (block) => {
    const size = known.get(block) ?? count({ role: 'user', content: [block] });
    known.set(block, size);
    return size;
  };
}

/** The blocks of all messages, in the order of the log. */
function placesOf(events: readonly TranscriptEvent[]): Place[] {
  const { entries } = requestsOf(events);
  const messages = entries
    .flatMap((entry) => entry.events)
    .sort((one, other) => one.seq - other.seq);
  const blocks = messages.flatMap((event) =>
    (event.message?.content ?? []).map((block, index) => ({ event, index, block })),
  );
  return blocks.map((block, segment) => ({ segment, ...block }));
}

async function readTranscript(store: ContextStore, sessionId: string): Promise<ReadTranscript> {
  const events: TranscriptEvent[] = [];
  const pointers = new Map<string, string>();
  const counted = new Map<string, number>();
  const known = new WeakMap<ContentBlock, number>();
  for await (const { event, stored, counts, sizes } of importedEvents(store, sessionId)) {
    events.push(event);
    const content = event.message?.content ?? [];
    for (const [text, tokens] of counts) counted.set(text, tokens);
    for (const [index, block] of content.slice(0, sizes.length).entries()) {
      known.set(block, sizes[index] ?? 0);
    }
    for (const { block, output } of stored.results) {
      const found = content[block];
      if (found?.type === 'tool_result') pointers.set(found.toolUseId, pointerUri(output));
    }
  }
  const countTokens: TokenCounter = (text) => counted.get(text) ?? store.countTokens(text);
  return { events, pointers, countTokens, known };
}

/** So many tools are named; the others are summed. */
const mostNamed = 200;
/** So much of a name is kept. */
const longestName = 200;

const sumOf = (tools: readonly { readonly tokens: number }[]): number =>
  tools.reduce((sum, { tokens }) => sum + tokens, 0);

/** The system prompt and each tool, as far as the transcript holds them. */
function fixedOf({
  events,
  countTokens,
}: ReadTranscript): Pick<Recording, 'fixed' | 'fixedTokens'> {
  const counting = { counter: countTokens };
  const texts = viewAt(events, Number.POSITIVE_INFINITY).system?.content ?? [];
  const prompt = texts.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const { systemTokens: system } = countRequest({ system: prompt, messages: [] }, counting);
  const tools = toolsOf(events).map((tool) => ({
    name: tool.name.slice(0, longestName),
    tokens: countRequest({ tools: [tool], messages: [] }, counting).toolTokens,
  }));
  const fixedTokens = system + sumOf(tools);
  if (fixedTokens === 0) return { fixedTokens };
  tools.sort((one, other) => other.tokens - one.tokens);
  const named = tools.slice(0, mostNamed);
  const rest = tools.slice(mostNamed);
  const unnamed = rest.length === 0 ? {} : { unnamed: { tools: rest.length, tokens: sumOf(rest) } };
  return { fixedTokens, fixed: { system, tools: named, ...unnamed } };
}

/** Reads a transcript out of the store, results put back; for sizes alone without them, where an import counted these. */
export async function readRecording(
  store: ContextStore,
  sessionId: string,
  { isForSizes = false }: { readonly isForSizes?: boolean } = {},
): Promise<Recording> {
  const sizes = isForSizes ? await readSizes(store, sessionId) : undefined;
  const read = sizes ?? (await readTranscript(store, sessionId));
  const { events, pointers, countTokens, known, counted } = read;
  const use = await measureContext(store, { sessionId, ...(counted && { read: counted }) });
  const places = placesOf(events);
  const calls = places.flatMap(({ block }): [string, string][] =>
    block.type === 'tool_use' ? [[block.id, block.name]] : [],
  );
  return {
    ...{ events, places, pointers, names: new Map(calls) },
    sizeOf: blockSizes(countTokens, known),
    ...fixedOf(read),
    windowTokens: use?.windowTokens ?? 200_000,
    ...(use === undefined ? {} : { use }),
  };
}
