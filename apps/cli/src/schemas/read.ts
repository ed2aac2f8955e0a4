import { type PointerEntry, pointerEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx read --json` answers. */
export interface ReadAnswer {
  readonly output: PointerEntry;
  /** What the tool was called with. */
  readonly args: unknown;
  /** The text that was asked for. */
  readonly text: string;
  readonly totalLines: number;
  /** First and last line of `text`, where lines were asked for. */
  readonly from?: number;
  readonly to?: number;
  /** Lines that match, where a pattern was given. */
  readonly totalMatches?: number;
  /** Where to read on; missing where nothing is left. */
  readonly nextLine?: number;
}

export const readAnswerSchema: z.ZodType<ReadAnswer> = z.object({
  output: pointerEntrySchema,
  args: z.unknown(),
  text: z.string(),
  totalLines: z.number(),
  from: z.number().exactOptional(),
  to: z.number().exactOptional(),
  totalMatches: z.number().exactOptional(),
  nextLine: z.number().exactOptional(),
});
