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
import type { CountedEvents, ReadTranscript } from './read-sizes.ts';

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
  readonly made: RequestSequence;
  readonly places: readonly Place[];
  readonly turns: Turns;
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

type RequestSequence = ReturnType<typeof requestsOf>;
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

/** Events of the main lane before which the view is another than the last one with blocks added. */
interface Turns {
  /** Boundaries and rewinds. */
  readonly marked: readonly number[];
  /** Messages that do not go on from the line before: another branch, or a record of the same id again. */
  readonly branches: readonly number[];
}

/** Ids that several records have: the last of these shows. */
function idsAgain(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  const known = new Set<string>();
  const again = new Set<string>();
  for (const { id } of events) {
    if (id === undefined) continue;
    if (known.has(id)) again.add(id);
    known.add(id);
  }
  return again;
}

const isShown = ({ kind, flags }: TranscriptEvent): boolean =>
  kind === 'message' && flags?.hidden !== true;

/** Makes a function that tells whether a record does not go on from `before`, the last id above it. */
function leavesBranch(
  lane: readonly TranscriptEvent[],
): (index: number, before: string | undefined) => boolean {
  const again = idsAgain(lane);
  const firstLink = lane.findIndex(
    ({ kind, parentId }) => kind === 'message' && parentId !== undefined,
  );
  return (index, before) => {
    const event = lane[index];
    if (event === undefined) return false;
    if (index === firstLink || again.has(event.id ?? '')) return true;
    if (firstLink === -1 || index < firstLink) return false;
    // A record without an id is on no chain.
    return event.id === undefined ? isShown(event) : event.parentId !== before;
  };
}

/** The messages before which another branch of the log begins, and the records of an id that comes again. */
function branchesOf(lane: readonly TranscriptEvent[]): number[] {
  const leaves = leavesBranch(lane);
  const branches: number[] = [];
  let before: string | undefined;
  let isOff = false;
  for (const [index, event] of lane.entries()) {
    isOff ||= leaves(index, before);
    before = event.id ?? before;
    if (!isShown(event)) continue;
    if (isOff) branches.push(event.seq);
    // The next message leaves a record that is on no chain.
    isOff = isOff && event.id === undefined;
  }
  return branches;
}

/** Finds the turns of a lane, by the rules of `viewAt`. */
function turnsOf(lane: readonly TranscriptEvent[]): Turns {
  const marked = lane.filter(({ boundary, rewindTo }) => boundary ?? rewindTo);
  return { marked: marked.map(({ seq }) => seq), branches: branchesOf(lane) };
}

/** Whether one of the events stands between two others, or is one of them. */
export function isAnyWithin(events: readonly number[], from: number, to: number): boolean {
  return events.some((seq) => seq >= from && seq <= to);
}

/**
 * Makes a function that gives {@link sumAt} of events, asked in their order: where blocks only came in since the one before,
 * it adds those.
 */
export function sumsInOrder(recording: Recording): (seq: number) => number {
  const { places, sizeOf, turns } = recording;
  const all = [...turns.marked, ...turns.branches];
  let [last, sum, place] = [-1, recording.fixedTokens, 0];
  return (seq) => {
    if (isAnyWithin(all, last + 1, seq)) {
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
function placesOf({ entries }: RequestSequence): Place[] {
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
  const texts = new Map<string, number>();
  const counted: CountedEvents[number][] = [];
  const known = new WeakMap<ContentBlock, number>();
  for await (const { event, counts, sizes, ...kept } of importedEvents(store, sessionId)) {
    events.push(event);
    counted.push(kept);
    const content = event.message?.content ?? [];
    for (const [text, tokens] of counts) texts.set(text, tokens);
    for (const [index, block] of content.slice(0, sizes.length).entries()) {
      known.set(block, sizes[index] ?? 0);
    }
    for (const { block, output } of kept.stored.results) {
      const found = content[block];
      if (found?.type === 'tool_result') pointers.set(found.toolUseId, pointerUri(output));
    }
  }
  const countTokens: TokenCounter = (text) => texts.get(text) ?? store.countTokens(text);
  return { events, pointers, countTokens, known, counted };
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

/** Reads a transcript out of the store, results put back. `sizes`: what stands for it where sizes alone are asked for. */
export async function readRecording(
  store: ContextStore,
  sessionId: string,
  sizes?: ReadTranscript,
): Promise<Recording> {
  const read = sizes ?? (await readTranscript(store, sessionId));
  const { events, pointers, countTokens, known, counted } = read;
  const use = await measureContext(store, { sessionId, read: counted });
  const made = requestsOf(events);
  const places = placesOf(made);
  const lane = events.filter((event) => event.lane === places[0]?.event.lane);
  const calls = places.flatMap(({ block }): [string, string][] =>
    block.type === 'tool_use' ? [[block.id, block.name]] : [],
  );
  return {
    ...{ events, made, places, pointers, turns: turnsOf(lane), names: new Map(calls) },
    sizeOf: blockSizes(countTokens, known),
    ...fixedOf(read),
    windowTokens: use?.windowTokens ?? 200_000,
    ...(use === undefined ? {} : { use }),
  };
}
