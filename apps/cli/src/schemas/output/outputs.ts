import { entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx outputs --json` answers. */
export const outputsAnswerSchema = z.object({
  store: z.string(),
  /** Oldest first within a session. */
  outputs: z.array(entrySchemas.pointer),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
});
