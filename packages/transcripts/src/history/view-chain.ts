import { callsOf } from '@ctx/core';
import type { TranscriptEvent } from '../transcript.ts';
import { isRecord, textAt } from '../values.ts';

/**
 * The events in view in a file whose records name their parents: the chain from the newest message up to a boundary or
 * a root, the records of the same responses, and every result that answers a call on it (often a sibling off the chain).
 * Cycles end it no more than dangling parents do: it goes on at the line before. Takes linear time.
 */
export function chainOf(past: readonly TranscriptEvent[]): TranscriptEvent[] {
  const { onChain, boundary } = walkChain(past);
  const keep = new Set(past[boundary]?.boundary?.keepIds);
  const groups = new Set<string>();
  for (const index of onChain) {
    const groupId = past[index]?.groupId;
    if (groupId !== undefined) groups.add(groupId);
  }
  const isOfGroup = (event: TranscriptEvent): boolean =>
    event.groupId !== undefined && groups.has(event.groupId);
  const shown = new Set(
    past.filter(
      (event, index) =>
        onChain.has(index) ||
        (index > boundary && isOfGroup(event)) ||
        (index < boundary && event.id !== undefined && keep.has(event.id)),
    ),
  );
  const answers = answersTo(shown);
  return past.filter(
    (event, index) =>
      event.kind === 'message' && (shown.has(event) || (index > boundary && answers(event))),
  );
}

interface Walk {
  /** Indices of the events on the chain. */
  readonly onChain: ReadonlySet<number>;
  /** Index of the boundary that ends it; -1 where it goes back to the start. */
  readonly boundary: number;
}

function walkChain(past: readonly TranscriptEvent[]): Walk {
  const places = new Map<string, number>();
  past.forEach(({ id }, index) => {
    if (id !== undefined) places.set(id, index);
  });
  const onChain = new Set<number>();
  let index = past.findLastIndex(
    (event) => event.kind === 'message' && event.flags?.hidden !== true,
  );
  let lowest = index;
  while (index >= 0) {
    const event = past[index];
    if (event === undefined) break;
    if (event.boundary && event.boundary.trigger !== 'micro') return { onChain, boundary: index };
    onChain.add(index);
    lowest = Math.min(lowest, index);
    if (event.parentId === undefined) break;
    const parent = places.get(event.parentId);
    index = parent === undefined || onChain.has(parent) ? lineBefore(past, lowest) : parent;
  }
  return { onChain, boundary: -1 };
}

/** Index of the nearest line above that is part of the session's tree; -1 where there is none. */
function lineBefore(past: readonly TranscriptEvent[], index: number): number {
  let before = index - 1;
  while (before >= 0 && past[before]?.id === undefined) before -= 1;
  return before;
}

/** Tells whether an event holds results of calls that are shown. */
function answersTo(shown: ReadonlySet<TranscriptEvent>): (event: TranscriptEvent) => boolean {
  const callIds = new Set<string>();
  const callers = new Set<string>();
  for (const event of shown) {
    const calls = event.message ? callsOf(event.message) : [];
    for (const call of calls) callIds.add(call.id);
    if (calls.length > 0 && event.id !== undefined) callers.add(event.id);
  }
  return ({ message, extra }) => {
    const results = message?.content.filter((block) => block.type === 'tool_result') ?? [];
    if (results.length === 0) return false;
    const record = extra?.['record'];
    const caller = isRecord(record) ? textAt(record, 'sourceToolAssistantUUID') : undefined;
    if (caller !== undefined && callers.has(caller)) return true;
    return results.some((block) => callIds.has(block.toolUseId));
  };
}
