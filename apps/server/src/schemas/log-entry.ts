import * as z from 'zod';
import type { SessionEvent } from '@ctx/core';

/** One entry of a session's log. */
export interface LogEntry {
  readonly sequence: number;
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly tokens: number;
  /** What was logged; tool results stand in it as pointers. */
  readonly payload: unknown;
}

export const logEntrySchema: z.ZodType<LogEntry> = z.object({
  sequence: z.number(),
  type: z.string(),
  at: z.string(),
  tokens: z.number(),
  payload: z.unknown(),
});

/** Makes the entry of an event. */
export function logEntryOf({ sequence, type, at, tokens, payload }: SessionEvent): LogEntry {
  return { sequence, type, at: new Date(at).toISOString(), tokens, payload };
}
