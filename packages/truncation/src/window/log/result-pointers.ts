import { callsOf } from '@ctx/core';
import type { ReceivedEvent } from '../window-event.ts';

/** Takes note of where the results in a message are kept. With calls, what was not asked for is forgotten. */
export function keepPointers(
  kept: Map<string, string>,
  { message, pointers }: Omit<ReceivedEvent, 'type'>,
): void {
  if (callsOf(message).length > 0) kept.clear();
  else for (const [id, pointer] of Object.entries(pointers)) kept.set(id, pointer);
}

/** Where the result of a call is kept. Each address is of one result, however often an id comes. */
export function takePointer(kept: Map<string, string>, givenId: string): string | undefined {
  const pointer = kept.get(givenId);
  kept.delete(givenId);
  return pointer;
}
