import * as z from 'zod';
import type { AgentFact } from '@ctx/core';
import type { FactNote } from '@ctx/store';

/** A fact of a session or an agent. */
export interface FactEntry {
  readonly text: string;
  /** Id of an agent's fact. */
  readonly id?: string;
  readonly source?: string;
  readonly trust?: string;
  readonly pinned?: boolean;
  /** When it was last stated, ISO 8601. */
  readonly at?: string;
  /** Sessions in which an agent learned it. */
  readonly sessions?: readonly string[];
  /** Of a recall: higher is better. */
  readonly score?: number;
}

export const factEntrySchema: z.ZodType<FactEntry> = z.object({
  text: z.string(),
  id: z.string().exactOptional(),
  source: z.string().exactOptional(),
  trust: z.string().exactOptional(),
  pinned: z.boolean().exactOptional(),
  at: z.string().exactOptional(),
  sessions: z.array(z.string()).exactOptional(),
  score: z.number().exactOptional(),
});

/** Makes the entry of an agent's fact. */
export function agentFactEntryOf(fact: AgentFact): FactEntry {
  const { id, text, source, trust, pinned, updatedAt, origins } = fact;
  const sessions = origins.map(({ sessionId }) => sessionId);
  return { id, text, source, trust, pinned, at: new Date(updatedAt).toISOString(), sessions };
}

/** Makes the entry of a session's fact, of which nothing but the text may be known. */
export function sessionFactEntryOf(text: string, note: FactNote | undefined): FactEntry {
  if (note === undefined) return { text };
  const { source, trust, pinned = false, recorded_at } = note;
  const at = new Date(recorded_at * 1000);
  const time = Number.isNaN(at.getTime()) ? {} : { at: at.toISOString() };
  return { text, source, trust, pinned, ...time };
}
