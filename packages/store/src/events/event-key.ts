/** Digits of a sequence number in a key: key order is log order up to 10^12 events. */
const sequenceDigits = 12;

/** Returns the key of an event below its tenant. */
export function eventKey(sessionId: string, sequence: number): readonly string[] {
  return [sessionId, String(sequence).padStart(sequenceDigits, '0')];
}
