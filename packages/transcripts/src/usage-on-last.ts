import type { TranscriptEvent } from './transcript.ts';

/** How many events are held back at most while a response may go on. */
const maxHeld = 1_000;

/**
 * Leaves the usage of a response on its last record only, where a file repeats it on each.
 * Contract: the events and their order stay; at most 1,000 are held back. A response that goes on after another one has come in
 * between shows its usage twice: sum by `groupId`, the last wins.
 */
export async function* usageOnLast(
  events: AsyncIterable<TranscriptEvent>,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  let held: TranscriptEvent[] = [];
  let holder = -1;
  for await (const event of events) {
    const last = held[holder];
    if (event.usage !== undefined && event.groupId !== undefined) {
      if (last?.groupId === event.groupId) held[holder] = withoutUsage(last);
      else {
        yield* held;
        held = [];
      }
      holder = held.length;
      held.push(event);
    } else if (last === undefined || held.length >= maxHeld) {
      yield* held;
      held = [];
      holder = -1;
      yield event;
    } else held.push(event);
  }
  yield* held;
}

function withoutUsage(event: TranscriptEvent): TranscriptEvent {
  const { usage: _, ...rest } = event;
  return rest;
}
