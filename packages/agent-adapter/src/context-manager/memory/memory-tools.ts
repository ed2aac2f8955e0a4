import { createMemory, type Memory } from '@ctx/memory';
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

/** The memory of a host; without one, that of its agent, by words. */
function memoryOf({ memory, store, agentId }: MemoryHost): Memory {
  return memory ?? createMemory(store, { scope: agentId });
}

/** Keeps a fact that a model stated: it ends none that the user stated. Returns whether it is new. */
export async function rememberFact(host: MemoryHost, { fact }: RememberArgs): Promise<boolean> {
  const { sessionId } = host;
  const session = sessionId === undefined ? {} : { sessionId };
  // What a model states is believed no more than what it read, and may be about the user: no other user of the agent finds it.
  const input = { text: fact, source: 'assistant', ...session };
  const { isNew, more = [] } = await memoryOf(host).add(input);
  return isNew || more.some((one) => one.isNew);
}

export function rememberedText(isNew: boolean): string {
  return isNew ? 'Remembered.' : 'This was known already.';
}

/** Arguments of `ctx_recall`. */
export interface RecallArgs {
  readonly query: string;
  readonly limit?: number;
  /** A day, such as `2026-01-31`: facts that held then. Default: those that hold now. */
  readonly asOf?: string;
}

const wantedDay = 'must be a day, such as 2026-01-31';

export const recallSchema: z.ZodType<RecallArgs> = z.strictObject({
  query: z.string().trim().min(1).max(factCharacters),
  limit: z.int().min(1).max(maxFacts).default(10),
  asOf: z
    .string()
    .max(10)
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: wantedDay })
    .refine((day) => !Number.isNaN(Date.parse(day)), { error: wantedDay })
    .describe('A day, such as 2026-01-31: facts that held then')
    .exactOptional(),
});

/** A fact as a model is told of it. */
export interface ToldFact {
  readonly fact: string;
  readonly source: string;
  /** The day from which on it holds. */
  readonly since: string;
}

/** Finds facts. */
export async function recallFacts(
  host: MemoryHost,
  { query, limit = 10, asOf }: RecallArgs,
): Promise<readonly ToldFact[]> {
  const time = asOf === undefined ? {} : { asOf: Date.parse(asOf) };
  const { facts } = await memoryOf(host).recall(query, { limit, ...time });
  return facts.map(({ text, source, validFrom }) => ({
    ...{ fact: text, source },
    since: new Date(validFrom).toISOString().slice(0, 10),
  }));
}

/** Facts, quoted as data. */
export function factsText(facts: readonly ToldFact[]): string {
  if (facts.length === 0) return 'Nothing is remembered about this.';
  const lines = facts.map((fact) => JSON.stringify(fact));
  return ['Facts that were kept before, quoted:', ...lines].join('\n');
}
