import type { ContentBlock, TokenCounter } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { countRequest, messageCounter } from '@ctx/tokens';
import { charactersPerToken } from '@ctx/tokens/approximate';
import {
  requestsOf,
  type StoredEvent,
  storedEventOf,
  type TranscriptEvent,
  toolsOf,
  viewAt,
} from '@ctx/transcripts';
import {
  type MeasuredContext,
  type PartTokens,
  partsTotal,
  scaledTo,
  type UsedPart,
} from './context-use.ts';

/** What a block that is no text weighs at most where it stands beside others: its data may be an image's. Tokens. */
const maxOpaqueTokens = 1600;

/** An event of an imported session, and its tokens as the import counted them. */
export interface CountedEvent {
  readonly stored: StoredEvent;
  readonly tokens: number;
}

type Sums = Map<UsedPart, number>;

function add(sums: Sums, parts: PartTokens): void {
  // The members of a record of parts are parts.
  for (const [part, tokens] of Object.entries(parts) as [UsedPart, number][]) {
    sums.set(part, (sums.get(part) ?? 0) + tokens);
  }
}

const aboutTokens = (text: string): number => Math.ceil(text.length / charactersPerToken);

function partOf(block: ContentBlock, { flags, message }: TranscriptEvent): UsedPart {
  if (block.type === 'tool_use') return 'calls';
  if (block.type === 'tool_result') return 'results';
  if (block.type === 'opaque') return 'other';
  if (flags?.summary === true) return 'summary';
  if (message?.role === 'assistant') return 'assistant';
  return message?.role === 'system' ? 'system' : 'user';
}

function weightOf(block: ContentBlock): number {
  if (block.type === 'text') return aboutTokens(block.text);
  const about = aboutTokens(JSON.stringify(block));
  return block.type === 'opaque' ? Math.min(about, maxOpaqueTokens) : about;
}

/** What stands in an event, as its import counted each block, else by length; content of results that is elsewhere weighs nothing. */
interface Weighed {
  readonly weights: PartTokens;
  /** Results whose content is in the store, and those that the recorded agent cleared since they were counted. */
  readonly away: number;
  readonly cleared: number;
}

function weigh(event: TranscriptEvent, { results, sizes }: StoredEvent): Weighed {
  const taken = new Set(results.map(({ block }) => block));
  const sizeOf = (block: ContentBlock, index: number): number =>
    (taken.has(index) ? undefined : sizes?.[index]) ?? Math.max(1, weightOf(block));
  const sums: Sums = new Map();
  let [away, cleared] = [0, 0];
  for (const [index, block] of (event.message?.content ?? []).entries()) {
    const isAway = taken.has(index) && block.type === 'tool_result' && block.content.length === 0;
    if (isAway) away += 1;
    else {
      if (taken.has(index)) cleared += 1;
      add(sums, { [partOf(block, event)]: sizeOf(block, index) });
    }
  }
  return { weights: Object.fromEntries(sums), away, cleared };
}

/** What a message takes besides its blocks: each piece of a window is counted with it. */
const pieceTokens = messageCounter({ counter: () => 0 })({ role: 'user', content: [] });

/** What the system prompt takes besides its texts, once. */
const promptTokens = countRequest({ system: '.', messages: [] }, { counter: () => 0 }).systemTokens;

/**
 * Splits the tokens that were counted for an event among what stands in it, each block as a piece of its own. Results, whose content is
 * elsewhere, have what the other blocks leave.
 */
function splitEvent(event: TranscriptEvent, { stored, tokens: counted }: CountedEvent): PartTokens {
  const { weights, away, cleared } = weigh(event, stored);
  const blocks = event.message?.content.length ?? 0;
  const tokens = counted + pieceTokens * Math.max(0, blocks - 1);
  if (away > 0) {
    const results = Math.max(0, tokens - partsTotal(weights)) + (weights.results ?? 0);
    return scaledTo({ ...weights, results }, tokens);
  }
  return cleared > 0 ? weights : scaledTo(weights, tokens);
}

async function readEvents(store: ContextStore, sessionId: string): Promise<CountedEvent[]> {
  const events: CountedEvent[] = [];
  for await (const { payload, tokens } of store.events.read(sessionId)) {
    const stored = storedEventOf(payload);
    if (stored !== undefined) events.push({ stored, tokens });
  }
  return events;
}

function sumParts(counted: readonly CountedEvent[], counter: TokenCounter): PartTokens {
  const events = counted.map(({ stored }) => stored.event);
  const bySeq = new Map(counted.map((each) => [each.stored.event.seq, each]));
  const { entries, system } = viewAt(events, Number.POSITIVE_INFINITY);
  const prompt = new Set(system?.content);
  const prompts = new Set(
    events.filter(({ message }) => message?.content.some((block) => prompt.has(block))),
  );
  const shown = entries.flatMap((entry) => entry.events);
  const sums: Sums = new Map();
  for (const event of new Set([...prompts, ...shown])) {
    const known = bySeq.get(event.seq);
    if (known === undefined) continue;
    add(
      sums,
      prompts.has(event) ? { system: known.tokens - pieceTokens } : splitEvent(event, known),
    );
  }
  if (prompts.size > 0) add(sums, { system: promptTokens });
  const tools = toolsOf(events);
  for (const tool of tools) {
    add(sums, { tools: countRequest({ tools: [tool], messages: [] }, { counter }).toolTokens });
  }
  return Object.fromEntries(sums);
}

/** What the provider reported of the requests. Tokens. */
interface Reported {
  /** What the last request held besides what the transcript holds; 0 where its usage is not told. */
  readonly beside: number;
  /** The largest request. */
  readonly largest: number;
}

function reportedOf(counted: readonly CountedEvent[], counter: TokenCounter): Reported {
  const { requests } = requestsOf(counted.map(({ stored }) => stored.event));
  const largest = Math.max(0, ...requests.map(({ usage }) => usage?.input ?? 0));
  const last = requests.at(-1);
  const input = last?.usage?.input ?? 0;
  if (last === undefined || input === 0) return { beside: 0, largest };
  const before = counted.filter(({ stored }) => stored.event.seq < last.seq);
  return { beside: Math.max(0, input - partsTotal(sumParts(before, counter))), largest };
}

/**
 * Where the tokens of an imported conversation go: of what its agent showed the model last, after recorded compactions. `undefined` where
 * the log holds no imported events.
 * Sizes are those that the import counted, so that a tokenizer is loaded for tools alone, which it does not count. What the provider
 * counted besides is `fixed`. Reads the log, without the results, unless that is handed in.
 */
export async function transcriptContext(
  store: ContextStore,
  sessionId: string,
  read?: readonly CountedEvent[],
): Promise<MeasuredContext | undefined> {
  const events = read ?? (await readEvents(store, sessionId));
  if (events.length === 0) return undefined;
  const model = events.findLast(({ stored: { event } }) => event.model !== undefined)?.stored.event
    .model;
  const { beside, largest } = reportedOf(events, store.countTokens);
  return {
    source: 'transcript',
    parts: { ...sumParts(events, store.countTokens), fixed: beside },
    largestTokens: largest,
    ...(model === undefined ? {} : { model }),
  };
}
