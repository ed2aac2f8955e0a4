import type { ContentBlock, TokenCounter } from '@ctx/core';
import type { measureContext } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { type StoredEvent, storedEventOf, type TranscriptEvent } from '@ctx/transcripts';

/** The events of a transcript, and what is known of their texts and blocks. */
export interface ReadTranscript {
  readonly events: readonly TranscriptEvent[];
  readonly pointers: ReadonlyMap<string, string>;
  readonly countTokens: TokenCounter;
  /** Sizes of blocks that the import counted. */
  readonly known: WeakMap<ContentBlock, number>;
  /** The events as the store keeps them. */
  readonly counted: CountedEvents;
}

export type CountedEvents = NonNullable<Parameters<typeof measureContext>[1]['read']>;

/** Tokens of the outputs of a session, by id. Reads their columns alone. */
async function tokensOfOutputs(
  { outputs }: ContextStore,
  sessionId: string,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let after: string | undefined;
  do {
    const page = await outputs.pointers({ sessionId, limit: 1_000, ...(after && { after }) });
    for (const { id, tokens } of page.entries) found.set(id, tokens);
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** The tokens of the blocks of an event, as the import counted them; `undefined` where it did not, or an output is gone. */
function countedSizes(
  { event, results, sizes = [] }: StoredEvent,
  outputs: ReadonlyMap<string, number>,
): readonly number[] | undefined {
  const whole = [...sizes];
  for (const { block, output, form } of results) {
    const [size, tokens] = [sizes[block], outputs.get(output)];
    if (size === undefined || tokens === undefined) return undefined;
    if (form === 'text') whole[block] = size + tokens;
  }
  return whole.length < (event.message?.content.length ?? 0) ? undefined : whole;
}

/**
 * Reads a transcript without its results: their sizes stand for them. `undefined` where these were not all counted, or the log does not
 * begin as an import writes it.
 */
export async function readSizes(
  store: ContextStore,
  sessionId: string,
): Promise<ReadTranscript | undefined> {
  let outputs: ReadonlyMap<string, number> | undefined;
  const events: TranscriptEvent[] = [];
  const known = new WeakMap<ContentBlock, number>();
  const counted: CountedEvents[number][] = [];
  for await (const { payload, tokens } of store.events.read(sessionId)) {
    const stored = storedEventOf(payload);
    if (stored === undefined) {
      if (outputs === undefined) return undefined;
      continue;
    }
    outputs ??= await tokensOfOutputs(store, sessionId);
    const sizes = countedSizes(stored, outputs);
    if (sizes === undefined) return undefined;
    const content = stored.event.message?.content ?? [];
    content.forEach((block, index) => known.set(block, sizes[index] ?? 0));
    events.push(stored.event);
    counted.push({ stored, tokens });
  }
  if (outputs === undefined) return undefined;
  return { events, pointers: new Map(), countTokens: store.countTokens, known, counted };
}
