import { sessionDocumentSchema } from '@ctx/store';
import { z } from 'zod';

/** What `ctx document --json` answers. */
export const documentAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  /** The session's document, with the names of the seed. */
  document: sessionDocumentSchema,
});
