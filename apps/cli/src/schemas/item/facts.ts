import { type Answer, entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx facts --json` answers. */
export const factsAnswerSchema = z.object({
  store: z.string(),
  /** The session whose facts these are; missing where they are an agent's. */
  session: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  facts: z.array(entrySchemas.fact),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
  /** With `--add` and `--promote`: whose it is now, and whether it was known already. */
  kept: z
    .object({
      session: z.string().exactOptional(),
      agent: z.string().exactOptional(),
      text: z.string(),
      isNew: z.boolean(),
    })
    .exactOptional(),
  /** With `--forget`: out of what it was taken, and where it still stands. */
  forgotten: z
    .object({
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
    })
    .exactOptional(),
});

export type FactsAnswer = Answer<typeof factsAnswerSchema>;
