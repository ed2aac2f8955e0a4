import { type SessionDocument, sessionDocumentSchema } from '@ctx/core';
import { z } from 'zod';

/** What `ctx document --json` answers. */
export interface DocumentAnswer {
  readonly store: string;
  readonly session: string;
  /** The session's document, with the names of the seed. */
  readonly document: SessionDocument;
}

export const documentAnswerSchema: z.ZodType<DocumentAnswer> = z.object({
  store: z.string(),
  session: z.string(),
  document: sessionDocumentSchema,
});
