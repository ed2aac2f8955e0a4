import { parseJson } from '../values.ts';

/**
 * Parses JSON whose end was cut off: an open string, list or object is closed, a half entry is left out.
 * Contract: whole JSON is parsed as it is; `undefined` where nothing can be made of it. Cost: linear.
 */
export function completeJson(text: string): unknown {
  const whole = parseJson(text);
  return whole === undefined ? parseJson(closeJson(text)) : whole;
}

function closeJson(text: string): string {
  const closers: string[] = [];
  /** Everything before it is whole, with the closers that are open there. */
  let safe = { end: 0, closers: '' };
  let index = 0;
  const markSafe = (end: number): void => {
    safe = { end, closers: closers.toReversed().join('') };
  };
  while (index < text.length) {
    const character = text[index] ?? '';
    if (character === '"') {
      const end = endOfString(text, index);
      if (end === undefined)
        return closeString(text, index, closers) ?? text.slice(0, safe.end) + safe.closers;
      index = end;
      continue;
    }
    if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      markSafe(index + 1);
    } else if (character === '}' || character === ']') {
      closers.pop();
      markSafe(index + 1);
    } else if (character === ',') markSafe(index);
    index += 1;
  }
  return text.slice(0, safe.end) + safe.closers;
}

/** Index after the closing quote. */
function endOfString(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return undefined;
}

/** Closes a string that is a value. A half key is of no use. */
function closeString(text: string, start: number, closers: readonly string[]): string | undefined {
  const before = text.slice(Math.max(0, start - 64), start).trimEnd();
  const isValue = before.endsWith(':') || closers.at(-1) === ']';
  if (!isValue) return undefined;
  // The last escape may be torn: `\`, `\u12`.
  const lastEscape = text.lastIndexOf('\\');
  const end = lastEscape > start && lastEscape >= text.length - 6 ? lastEscape : text.length;
  return `${text.slice(0, end)}"${closers.toReversed().join('')}`;
}
