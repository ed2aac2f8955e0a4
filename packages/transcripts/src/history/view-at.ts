import type { ContentBlock, Message } from '@ctx/core';
import type { Boundary, TranscriptEvent } from '../transcript.ts';
import { type HistoryOptions, historyOf, type LaneHistory, mainLaneOf } from './lane-history.ts';
import { chainOf } from './view-chain.ts';

/** Stands for a result that the recorded tool cleared from its context. */
export const clearedResultText = '[Old tool result content cleared]';

/**
 * What the model saw in one lane when the event `seq` had happened: after recorded compactions, clearings and rewinds.
 * Pure; entries in the order of the log. In files whose records name their parents the newest message decides, with the
 * chain of its parents and all that answers a call on it; else the log is folded. Nothing is mended.
 * Takes time linear in the events up to `seq`.
 */
export function viewAt(
  events: readonly TranscriptEvent[],
  seq: number,
  options: HistoryOptions = {},
): LaneHistory {
  const lane = options.lane ?? mainLaneOf(events);
  const past = events.filter((event) => event.lane === lane && event.seq <= seq);
  const isChained = past.some((event) => event.kind === 'message' && event.parentId !== undefined);
  const seen = isChained ? chainOf(past) : foldOf(past);
  return historyOf(withClearings(summaryFirst(seen, past), past), { lane });
}

/** What a compaction kept stands after its summary, but for those that the boundary counts before it. */
function summaryFirst(
  seen: readonly TranscriptEvent[],
  past: readonly TranscriptEvent[],
): readonly TranscriptEvent[] {
  const boundary = past.findLast(isFull);
  if (boundary === undefined) return seen;
  const kept = new Set(boundary.boundary.keepIds);
  const isKept = (event: TranscriptEvent): boolean =>
    event.seq < boundary.seq && event.id !== undefined && kept.has(event.id);
  const later = seen.filter(({ seq }) => seq > boundary.seq);
  const first = later.findIndex(({ flags }) => flags?.summary !== true);
  const summaries = first === -1 ? later : later.slice(0, first);
  const before = boundary.boundary.keptBefore ?? 0;
  const stayed = seen.filter(isKept);
  return [
    ...seen.filter((event) => event.seq < boundary.seq && !isKept(event)),
    ...stayed.slice(0, before),
    ...summaries,
    ...stayed.slice(before),
    ...later.slice(summaries.length),
  ];
}

/** Tells a boundary that ends a context from one that only clears results. */
function isFull(event: TranscriptEvent): event is TranscriptEvent & { boundary: Boundary } {
  return event.boundary !== undefined && event.boundary.trigger !== 'micro';
}

/** The messages of one lane as the model saw them last, with the system prompt apart. */
export function messagesOf(
  events: readonly TranscriptEvent[],
  options: HistoryOptions = {},
): readonly Message[] {
  return viewAt(events, Number.POSITIVE_INFINITY, options).entries.map(({ message }) => message);
}

/** The events in view where the log alone decides. */
function foldOf(past: readonly TranscriptEvent[]): TranscriptEvent[] {
  let seen: TranscriptEvent[] = [];
  for (const event of past) {
    if (event.kind === 'message') seen.push(event);
    else if (isFull(event)) {
      const keep = new Set(event.boundary.keepIds);
      seen = seen.filter(
        ({ id, flags }) => flags?.prompt === true || (id !== undefined && keep.has(id)),
      );
    } else if (event.kind === 'rewind') {
      // An unknown target clears everything, as it does for the owners of the format.
      const target = seen.findIndex(({ id }) => id !== undefined && id === event.rewindTo);
      seen = seen.filter(({ flags }, index) => flags?.prompt === true || index < target);
    }
  }
  return seen;
}

/** The same events with cleared results emptied: those of a clearing that came after them. */
function withClearings(
  seen: readonly TranscriptEvent[],
  past: readonly TranscriptEvent[],
): TranscriptEvent[] {
  const clearedAt = new Map<string, number>();
  for (const { boundary, seq } of past) {
    for (const id of boundary?.clearedCallIds ?? []) clearedAt.set(id, seq);
  }
  if (clearedAt.size === 0) return [...seen];
  return seen.map((event) => {
    const { message } = event;
    if (message === undefined) return event;
    const content = message.content.map((block): ContentBlock => {
      const isCleared =
        block.type === 'tool_result' && (clearedAt.get(block.toolUseId) ?? -1) > event.seq;
      return isCleared ? { ...block, content: [{ type: 'text', text: clearedResultText }] } : block;
    });
    const isChanged = content.some((block, index) => block !== message.content[index]);
    return isChanged ? { ...event, message: { ...message, content } } : event;
  });
}
