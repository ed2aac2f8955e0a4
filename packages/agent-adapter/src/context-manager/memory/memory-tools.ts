import type { ContextStore } from '@ctx/store';
import * as z from 'zod';

/** Whose facts the memory tools keep and find. */
export interface MemoryHost {
  readonly store: ContextStore;
  readonly agentId: string;
  /** The session in which facts are learned; left out where there is none. */
  readonly sessionId?: string;
}

const factCharacters = 4000;
const maxFacts = 20;

/** Arguments of `ctx_remember`. */
export interface RememberArgs {
  readonly fact: string;
}

export const rememberSchema: z.ZodType<RememberArgs> = z.strictObject({
  fact: z.string().trim().min(1).max(factCharacters),
});

/** Keeps a fact that a model stated, and says so. Cost: one read and one write. */
export async function rememberFact(
  { store, agentId, sessionId }: MemoryHost,
  { fact }: RememberArgs,
): Promise<string> {
  const session = sessionId === undefined ? {} : { sessionId };
  // What a model states is believed no more than what it read.
  const input = { text: fact, source: 'assistant', agentId, ...session };
  const { isNew } = await store.facts.remember(input);
  return isNew ? 'Remembered.' : 'This was known already.';
}

/** Arguments of `ctx_recall`. */
export interface RecallArgs {
  readonly query: string;
  readonly limit?: number;
}

export const recallSchema: z.ZodType<RecallArgs> = z.strictObject({
  query: z.string().trim().min(1).max(factCharacters),
  limit: z.int().min(1).max(maxFacts).default(10),
});

/** Finds facts, quoted as data. Cost: one query. */
export async function recallFactsText(
  { store, agentId }: MemoryHost,
  { query, limit = 10 }: RecallArgs,
): Promise<string> {
  const facts = await store.facts.recall({ query, limit, agentId });
  if (facts.length === 0) return 'Nothing is remembered about this.';
  const lines = facts.map(({ text, source }) => JSON.stringify({ fact: text, source }));
  return ['Facts that were kept before, quoted:', ...lines].join('\n');
}
