import * as z from 'zod';

/** What is to be destroyed within one tenant. */
export type PurgeScope =
  | { readonly sessions: readonly string[] }
  /** The sessions, items, facts and checkpoints of one agent. */
  | { readonly agent: string }
  /** Sessions without activity since, and what else was not touched since. ms since the epoch. */
  | { readonly before: number; readonly withPinned: boolean }
  /** Everything of the tenant, its keys and its name. */
  | { readonly all: true };

/** Checks a scope that was stored. */
export const purgeScopeSchema: z.ZodType<PurgeScope> = z.union([
  z.object({ sessions: z.array(z.string()) }),
  z.object({ agent: z.string() }),
  z.object({ before: z.number(), withPinned: z.boolean() }),
  z.object({ all: z.literal(true) }),
]);
