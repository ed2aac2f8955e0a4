import type { Memory } from '@ctx/memory';
import type { sessionExtras } from '@ctx/store';
import * as z from 'zod';

/** A fact of a session, or of the memory of an agent, a user or the tenant. */
export const factEntrySchema = z.object({
  text: z.string(),
  /** The rest but for source, trust, pinned and time is known of facts in a memory only. */
  id: z.string().exactOptional(),
  scope: z.enum(['session', 'agent', 'user', 'tenant']).exactOptional(),
  kind: z.string().exactOptional(),
  /** Of facts with the same subject and attribute one holds at a time. */
  subject: z.string().exactOptional(),
  attribute: z.string().exactOptional(),
  source: z.string().exactOptional(),
  trust: z.string().exactOptional(),
  pinned: z.boolean().exactOptional(),
  /** The words that say it, and the message of the first session that holds them. */
  quote: z.string().exactOptional(),
  address: z.string().exactOptional(),
  /** When it was last stated, ISO 8601. */
  at: z.string().exactOptional(),
  /** When it began to hold, ISO 8601. */
  validFrom: z.string().exactOptional(),
  /** When it ceased to; missing while it holds. */
  validTo: z.string().exactOptional(),
  /** From 0 to 1. */
  confidence: z.number().exactOptional(),
  /** Sessions in which it was learned, newest first. */
  sessions: z.array(z.string()).exactOptional(),
  /** Of a recall: higher is better. */
  score: z.number().exactOptional(),
});

/** Out of what a fact was destroyed, and where it still stands. */
export const forgottenSchema = z.object({
  wasKnown: z.boolean(),
  sessions: z.array(z.string()),
  compactions: z.int().min(0),
  checkpoints: z.int().min(0),
  remaining: z.array(
    z.object({
      collection: z.string(),
      ownerId: z.string(),
      records: z.int().min(0),
      deleteWith: z.string(),
    }),
  ),
  notSearched: z.array(z.string()),
});

type FactEntry = z.infer<typeof factEntrySchema>;

type MemoryFact = Awaited<ReturnType<Memory['history']>>[number];

const isoOf = (time: number): string => new Date(time).toISOString();

/** Makes the entry of a fact of a memory. */
export function memoryFactEntryOf(fact: MemoryFact & { readonly score?: number }): FactEntry {
  const { tokens: _tokens, sessionId: _session, saidAt, validFrom, validTo, ...told } = fact;
  return {
    ...told,
    sessions: [...fact.sessions],
    at: isoOf(saidAt),
    validFrom: isoOf(validFrom),
    ...(validTo === undefined ? {} : { validTo: isoOf(validTo) }),
  };
}

/** What is known of a fact of a session. */
type SessionFact = ReturnType<typeof sessionExtras>['fact_notes'][number];

/** Makes the entry of a session's fact, of which nothing but the text may be known. */
export function sessionFactEntryOf(text: string, note: SessionFact | undefined): FactEntry {
  if (note === undefined) return { text };
  const { source, trust, pinned = false, recorded_at } = note;
  const at = new Date(recorded_at * 1000);
  const time = Number.isNaN(at.getTime()) ? {} : { at: at.toISOString() };
  return { text, source, trust, pinned, ...time };
}
