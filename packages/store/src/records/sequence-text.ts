/** Digits of a number in a key. */
const sequenceDigits = 12;

/** Writes a number so that the order of keys is the order of numbers, up to 10^12. */
export function sequenceText(sequence: number): string {
  return String(sequence).padStart(sequenceDigits, '0');
}
