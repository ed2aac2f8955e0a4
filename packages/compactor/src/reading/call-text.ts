import { outputText } from '@ctx/core/encoding';

/** The values of a call's arguments as text, one a line or more; the names of the arguments are the tool's. Never throws. */
export function callText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  try {
    return Object.values(input)
      .map((value) => (typeof value === 'string' ? value : outputText(value)))
      .join('\n');
  } catch {
    return '';
  }
}
