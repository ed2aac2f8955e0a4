/** A value in a JSON text: where it begins, and where what follows it begins. */
export interface JsonSpan {
  readonly from: number;
  readonly to: number;
}

/** A member of an object, or an element of an array (then without a key). */
export interface JsonMember extends JsonSpan {
  readonly key: string;
}

// Character codes are compared: patterns are much slower, and a long output has many values.
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** The end of the string that begins at a quote. */
export function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at += 1;
  }
  return text.length;
}

/** 1 for a bracket or brace that opens, -1 for one that closes. */
function stepOf(code: number): number {
  // A bracket and a brace differ in one bit.
  const brace = code | 0x20;
  if (brace === 0x7b) return 1;
  return brace === 0x7d ? -1 : 0;
}

/** The end of the object or array that begins at `from`. */
function endOfNested(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else depth += stepOf(code);
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function endOfScalar(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || isBlank(code) || stepOf(code) < 0) break;
  }
  return at;
}

/** The end of the value that begins at `from`, in a text that is known to parse. Takes time linear in the value. */
function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === quote) return endOfString(text, from);
  return stepOf(first) > 0 ? endOfNested(text, from) : endOfScalar(text, from);
}

/** The members of the object or array that begins at `from`; the text is known to parse. */
export function membersOf(text: string, from: number): JsonMember[] {
  const isObject = text.charAt(from) === '{';
  const members: JsonMember[] = [];
  let at = skipBlank(text, from + 1);
  while (at < text.length && stepOf(text.charCodeAt(at)) >= 0) {
    const keyEnd = isObject ? endOfString(text, at) : at;
    const key = isObject ? text.slice(at, keyEnd) : '';
    const start = isObject ? skipBlank(text, skipBlank(text, keyEnd) + 1) : at;
    const to = endOfValue(text, start);
    members.push({ key, from: start, to });
    at = skipBlank(text, to);
    if (text.charCodeAt(at) === comma) at = skipBlank(text, at + 1);
  }
  return members;
}

/** The value as it stands, without the blanks between its parts; numbers and strings keep every character. */
export function compactJson(text: string, { from, to }: JsonSpan): string {
  const value = text.slice(from, to);
  if (!/\s/.test(value)) return value;
  const parts: string[] = [];
  let at = from;
  while (at < to) {
    const sign = text.charAt(at);
    if (sign === '"') {
      const end = endOfString(text, at);
      parts.push(text.slice(at, end));
      at = end;
    } else {
      const end = endOfPlain(text, at, to);
      parts.push(text.slice(at, end).replaceAll(/\s+/g, ''));
      at = end;
    }
  }
  return parts.join('');
}

function endOfPlain(text: string, from: number, to: number): number {
  const quote = text.indexOf('"', from);
  return quote < 0 || quote > to ? to : quote;
}

/** The text that was looked at last: a result is asked about several times on its way in, and to parse a megabyte takes 10 ms. */
let last = { text: '', isJson: false };

/** Tells whether a text is JSON. */
export function isJson(text: string): boolean {
  if (text === last.text) return last.isJson;
  last = { text, isJson: parses(text) };
  return last.isJson;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
