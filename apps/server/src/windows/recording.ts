import type { ContentBlock } from '@ctx/core';
import { measureContext } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { countRequest } from '@ctx/tokens';
import {
  importedEvents,
  requestsOf,
  type TranscriptEvent,
  toolsOf,
  viewAt,
} from '@ctx/transcripts';
import { createSegmentMeter, pointerUri } from '@ctx/truncation';

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
  readonly fixedTokens: number;
  readonly windowTokens: number;
}

/** The blocks that the model saw when the event `seq` had happened, by event. */
export function seenAt({ events }: Recording, seq: number): Map<number, readonly ContentBlock[]> {
  const { entries } = viewAt(events, seq);
  const seen = entries.flatMap((entry) => entry.events);
  return new Map(seen.map(({ seq: at, message }) => [at, message?.content ?? []]));
}

/** Tokens of everything that stood in a request when the event `seq` had happened. */
export function sumAt(recording: Recording, seq: number): number {
  let sum = recording.fixedTokens;
  for (const blocks of seenAt(recording, seq).values()) {
    for (const block of blocks) sum += recording.sizeOf(block);
  }
  return sum;
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

/** Reads a transcript out of the store, results put back. */
export async function readRecording(store: ContextStore, sessionId: string): Promise<Recording> {
  const events: TranscriptEvent[] = [];
  const pointers = new Map<string, string>();
  for await (const { event, stored } of importedEvents(store, sessionId)) {
    events.push(event);
    for (const { block, output } of stored.results) {
      const found = event.message?.content[block];
      if (found?.type === 'tool_result') pointers.set(found.toolUseId, pointerUri(output));
    }
  }
  const { system } = viewAt(events, Number.POSITIVE_INFINITY);
  const places = placesOf(events);
  const calls = places.flatMap(({ block }): [string, string][] =>
    block.type === 'tool_use' ? [[block.id, block.name]] : [],
  );
  const counting = { counter: store.countTokens };
  const meter = createSegmentMeter(store.countTokens);
  const { systemTokens } = countRequest(
    { messages: system === undefined ? [] : [system] },
    counting,
  );
  const { toolTokens } = countRequest({ tools: toolsOf(events), messages: [] }, counting);
  return {
    ...{ events, places, pointers, names: new Map(calls) },
    sizeOf: (block) =>
      meter.segments(undefined, [{ role: 'user', content: [block] }])[0]?.tokens ?? 0,
    fixedTokens: systemTokens + toolTokens,
    windowTokens: (await measureContext(store, { sessionId }))?.windowTokens ?? 200_000,
  };
}
