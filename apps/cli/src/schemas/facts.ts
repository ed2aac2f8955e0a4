import { type FactEntry, factEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx facts --json` answers. */
export interface FactsAnswer {
  readonly store: string;
  /** The session whose facts these are; missing where they are an agent's. */
  readonly session?: string;
  readonly agent?: string;
  readonly facts: readonly FactEntry[];
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
  /** With `--add` and `--promote`: whose it is now, and whether it was known already. */
  readonly kept?: {
    readonly session?: string;
    readonly agent?: string;
    readonly text: string;
    readonly isNew: boolean;
  };
  /** With `--forget`: out of what it was taken, and where it still stands. */
  readonly forgotten?: {
    readonly wasKnown: boolean;
    readonly sessions: readonly string[];
    readonly compactions: number;
    readonly checkpoints: number;
    /** Records that still hold the text, and the call that destroys them. */
    readonly remaining: readonly {
      readonly collection: string;
      readonly ownerId: string;
      readonly records: number;
      readonly deleteWith: string;
    }[];
    readonly notSearched: readonly string[];
  };
}

export const factsAnswerSchema: z.ZodType<FactsAnswer> = z.object({
  store: z.string(),
  session: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  facts: z.array(factEntrySchema),
  next: z.string().exactOptional(),
  kept: z
    .object({
      session: z.string().exactOptional(),
      agent: z.string().exactOptional(),
      text: z.string(),
      isNew: z.boolean(),
    })
    .exactOptional(),
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
