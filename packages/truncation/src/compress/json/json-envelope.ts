import { cutLine } from '../choose-lines.ts';
import { findLargest } from './json-largest.ts';
import { endOfString, isJson } from './json-scan.ts';

/** A text that stands in JSON, such as the output of a command under `output` beside its exit code. */
export interface EnvelopedText {
  readonly text: string;
  /** A line that says where it stands and what stands around it. */
  readonly says: string;
}

/** Fewest lines, or JSON, that make a string a text of its own. */
const leastLines = 5;

function isTextOfItsOwn(text: string): boolean {
  return (
    text.split('\n', leastLines).length === leastLines || (/^\s*[[{]/.test(text) && isJson(text))
  );
}

/** The text that is most of a JSON text; `undefined` where there is none. Takes time linear in the text. */
export function envelopedText(text: string): EnvelopedText | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 200)) || !isJson(text)) return undefined;
  const largest = findLargest(text, (from) => {
    if (text.charAt(from) !== '"') return undefined;
    return JSON.parse(text.slice(from, endOfString(text, from))) as string;
  });
  if (largest === undefined || !isTextOfItsOwn(largest.found)) return undefined;
  const { before, after } = largest.around ?? { before: '', after: '' };
  const around = cutLine(`${before}""${after}`, 2000);
  return {
    text: largest.found,
    says: `no JSON, but the text of ${largest.path}; around it: ${around}`,
  };
}
