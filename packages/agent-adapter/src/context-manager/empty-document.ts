import { emptySessionDocument, type SessionDocument } from '@ctx/store';

/** Returns the document of a session without history. A file of its own, so that the start loads no schemas. */
export function emptyDocument(sessionId: string): SessionDocument {
  return emptySessionDocument(sessionId);
}
