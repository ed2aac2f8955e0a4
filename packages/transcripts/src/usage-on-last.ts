import type { TranscriptEvent } from './transcript.ts';

/** How many events are held back at most while a response may go on. */
const maxHeld = 1_000;

/** Takes events in order and gives them on in order. */
export interface UsageFilter {
  /** The events that are settled now. */
  readonly push: (event: TranscriptEvent) => readonly TranscriptEvent[];
  /** What is still held back. */
  readonly end: () => readonly TranscriptEvent[];
}

/**
 * Leaves the usage of a response on its last record only, where a file repeats it on each.
 * The events and their order stay; at most 1,000 are held back. A response that goes on after another one has come in
 * between shows its usage twice: sum by `groupId`, the last wins.
 */
export function startUsageOnLast(): UsageFilter {
  let held: TranscriptEvent[] = [];
  let holder = -1;
  const release = (): TranscriptEvent[] => {
    const released = held;
    held = [];
    holder = -1;
    return released;
  };
  const hold = (event: TranscriptEvent): TranscriptEvent[] => {
    const last = held[holder];
    const goesOn = last !== undefined && last.groupId === event.groupId;
    if (goesOn) held[holder] = withoutUsage(last);
    const released = goesOn ? [] : release();
    holder = held.length;
    held.push(event);
    return released;
  };
  return {
    push: (event) => {
      if (event.usage !== undefined && event.groupId !== undefined) return hold(event);
      if (holder === -1 || held.length >= maxHeld) return [...release(), event];
      held.push(event);
      return [];
    },
    end: release,
  };
}

function withoutUsage(event: TranscriptEvent): TranscriptEvent {
  const { usage: _, ...rest } = event;
  return rest;
}
