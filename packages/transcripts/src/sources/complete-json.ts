import { parseJson } from '../values.ts';

/**
 * Parses JSON whose end was cut off: an open string, list or object is closed, a half entry is left out.
 * Whole JSON is parsed as it is; `undefined` where nothing can be made of it. Takes linear time.
 */
export function completeJson(text: string): unknown {
  const whole = parseJson(text);
  return whole === undefined ? parseJson(closeJson(text)) : whole;
}

function closeJson(text: string): string {
  const closers: string[] = [];
  /** The newest place where all that is open can be closed; every bracket moves it. */
  let safe = 0;
  let index = 0;
  while (index < text.length) {
    if (text[index] === '"') {
      const end = endOfString(text, index);
      if (end === undefined)
        return closeString(text, index, closers) ?? closeAt(text, safe, closers);
      index = end;
    } else {
      safe = stepOver(text, index, closers) ?? safe;
      index += 1;
    }
  }
  return closeAt(text, safe, closers);
}

function closeAt(text: string, end: number, closers: readonly string[]): string {
  return text.slice(0, end) + closers.toReversed().join('');
}

/** Notes a bracket. Gives the place after which everything open can be closed, if it is here. */
function stepOver(text: string, index: number, closers: string[]): number | undefined {
  const sign = text[index];
  if (sign === ',') return index;
  if (sign === '{') closers.push('}');
  else if (sign === '[') closers.push(']');
  else if (sign === '}' || sign === ']') closers.pop();
  else return undefined;
  return index + 1;
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
  return `${text.slice(0, endOfWhole(text, start + 1))}"${closers.toReversed().join('')}`;
}

/** Where the last sign ends that is whole: an escape may be torn, such as `\\` or `\\u12`. */
function endOfWhole(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const length = text[index] !== '\\' ? 1 : text[index + 1] === 'u' ? 6 : 2;
    if (index + length > text.length) return index;
    index += length;
  }
  return index;
}
