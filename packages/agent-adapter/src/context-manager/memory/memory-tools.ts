import type { Memory } from '@ctx/memory';
import type { ContextStore } from '@ctx/store';
import * as z from 'zod';

/** Whose facts the memory tools keep and find. */
export interface MemoryHost {
  readonly store: ContextStore;
  readonly agentId: string;
  /** The session in which facts are learned; left out where there is none. */
  readonly sessionId?: string;
  /** Finds facts of all its scopes, by meaning, too. */
  readonly memory?: Memory | undefined;
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

/** Keeps a fact that a model stated. Returns whether it is new. Cost: one read and one write. */
export async function rememberFact(
  { store, agentId, sessionId }: MemoryHost,
  { fact }: RememberArgs,
): Promise<boolean> {
  const session = sessionId === undefined ? {} : { sessionId };
  // What a model states is believed no more than what it read.
  const input = { text: fact, source: 'assistant', agentId, ...session };
  const { isNew } = await store.facts.remember(input);
  return isNew;
}

export function rememberedText(isNew: boolean): string {
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

/** A fact as a model is told of it. */
export interface ToldFact {
  readonly fact: string;
  readonly source: string;
}

/** Finds facts. Cost: one query. */
export async function recallFacts(
  { store, agentId, memory }: MemoryHost,
  { query, limit = 10 }: RecallArgs,
): Promise<readonly ToldFact[]> {
  const facts =
    memory === undefined
      ? await store.facts.recall({ query, limit, agentId })
      : (await memory.recall(query, { limit })).facts;
  return facts.map(({ text, source }) => ({ fact: text, source }));
}

/** Facts, quoted as data. */
export function factsText(facts: readonly ToldFact[]): string {
  if (facts.length === 0) return 'Nothing is remembered about this.';
  const lines = facts.map(({ fact, source }) => JSON.stringify({ fact, source }));
  return ['Facts that were kept before, quoted:', ...lines].join('\n');
}
