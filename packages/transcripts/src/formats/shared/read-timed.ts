import type { Message } from '@ctx/core';
import type { EventDraft } from '../../transcript.ts';
import { defined, isRecord, timeAt } from '../../values.ts';

/** Reads a record that says in `createdAt` when it was made. */
export function readTimed(
  read: (value: unknown) => readonly Message[],
): (value: unknown) => readonly EventDraft[] {
  return (value) => {
    const at = isRecord(value) ? timeAt(value, 'createdAt') : undefined;
    return read(value).map((message) => ({ kind: 'message', message, ...defined({ at }) }));
  };
}
