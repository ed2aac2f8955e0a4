import { type PointerEntry, pointerEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx outputs --json` answers. */
export interface OutputsAnswer {
  readonly store: string;
  /** Oldest first within a session. */
  readonly outputs: readonly PointerEntry[];
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
}

export const outputsAnswerSchema: z.ZodType<OutputsAnswer> = z.object({
  store: z.string(),
  outputs: z.array(pointerEntrySchema),
  next: z.string().exactOptional(),
});
