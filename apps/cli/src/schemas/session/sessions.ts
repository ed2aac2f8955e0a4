import { entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx sessions --json` answers. */
export const sessionsAnswerSchema = z.object({
  store: z.string(),
  /** Newest activity first. */
  sessions: z.array(entrySchemas.session),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
});
