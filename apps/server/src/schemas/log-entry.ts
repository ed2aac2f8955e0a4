import type { SessionEvent } from '@ctx/core';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** One entry of a session's log. */
export const logEntrySchema = z.object({
  sequence: z.number(),
  type: z.string(),
  /** ISO 8601. */
  at: z.string(),
  tokens: z.number(),
  /** What was logged; tool results stand in it as pointers. */
  payload: z.unknown(),
});

export type LogEntry = Answer<typeof logEntrySchema>;

/** Makes the entry of an event. */
export function logEntryOf({ sequence, type, at, tokens, payload }: SessionEvent): LogEntry {
  return { sequence, type, at: new Date(at).toISOString(), tokens, payload };
}
