import type { AgentFact, FactNote } from '@ctx/store';
import * as z from 'zod';

/** A fact of a session or an agent. */
export const factEntrySchema = z.object({
  text: z.string(),
  /** Id of an agent's fact. */
  id: z.string().exactOptional(),
  source: z.string().exactOptional(),
  trust: z.string().exactOptional(),
  pinned: z.boolean().exactOptional(),
  /** When it was last stated, ISO 8601. */
  at: z.string().exactOptional(),
  /** Sessions in which an agent learned it. */
  sessions: z.array(z.string()).exactOptional(),
  /** Of a recall: higher is better. */
  score: z.number().exactOptional(),
});

/** Makes the entry of an agent's fact. */
export function agentFactEntryOf(fact: AgentFact): z.infer<typeof factEntrySchema> {
  const { id, text, source, trust, pinned, updatedAt, origins } = fact;
  const sessions = origins.map(({ sessionId }) => sessionId);
  return { id, text, source, trust, pinned, at: new Date(updatedAt).toISOString(), sessions };
}

/** Makes the entry of a session's fact, of which nothing but the text may be known. */
export function sessionFactEntryOf(
  text: string,
  note: FactNote | undefined,
): z.infer<typeof factEntrySchema> {
  if (note === undefined) return { text };
  const { source, trust, pinned = false, recorded_at } = note;
  const at = new Date(recorded_at * 1000);
  const time = Number.isNaN(at.getTime()) ? {} : { at: at.toISOString() };
  return { text, source, trust, pinned, ...time };
}
