import { oneLine } from '../insert/one-line.ts';
import { pointerLine } from './pointer-line.ts';
import type { sessionNotes } from './session-notes.ts';
import { writeNotes } from './write-notes.ts';

/** Is loaded with the first session that goes on. */
const ofSession: typeof sessionNotes = async (store, sessionId, known) =>
  (await import('./session-notes.ts')).sessionNotes(store, sessionId, known);

/** Texts for a model that goes on with a session. */
export const notes = {
  /** What is known of a session, with the addresses of its outputs. */
  ofSession,
  /** One line of an output, with its address. */
  pointerLine,
  /** Foreign text on one line of ours, at most so many characters. */
  oneLine,
  /** Writes sections within a budget. */
  write: writeNotes,
} as const;
