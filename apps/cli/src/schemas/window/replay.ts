import { replaySummarySchema } from '@ctx/replay';
import { z } from 'zod';

/** What `ctx replay --json` answers. */
export const replayAnswerSchema = z.object({ store: z.string(), ...replaySummarySchema.shape });
