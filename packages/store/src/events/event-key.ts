import { sequenceText } from '../records/sequence-text.ts';

/** Returns the key of an event below its tenant. */
export function eventKey(sessionId: string, sequence: number): readonly string[] {
  return [sessionId, sequenceText(sequence)];
}
