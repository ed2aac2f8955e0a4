/** A value in a JSON text: where it begins, and where what follows it begins. */
export interface JsonSpan {
  readonly from: number;
  readonly to: number;
}

/** A member of an object, or an element of an array (then without a key). */
export interface JsonMember extends JsonSpan {
  readonly key: string;
}

const blank = /\s/;

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && blank.test(text.charAt(at))) at += 1;
  return at;
}

/** The end of the string that begins at a quote. */
export function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (sign === '"') return at + 1;
    at += sign === '\\' ? 2 : 1;
  }
  return text.length;
}

/** The end of the object or array that begins at `from`. */
function endOfNested(text: string, from: number): number {
  const marks = /["{}[\]]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const [mark] = found;
    if (mark === '"') marks.lastIndex = endOfString(text, found.index);
    else depth += mark === '{' || mark === '[' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** The end of the value that begins at `from`, in a text that is known to parse. Takes time linear in the value. */
function endOfValue(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '"') return endOfString(text, from);
  if (first === '{' || first === '[') return endOfNested(text, from);
  const ends = /[\s,}\]]/g;
  ends.lastIndex = from;
  return ends.exec(text)?.index ?? text.length;
}

/** The members of the object or array that begins at `from`; the text is known to parse. */
export function membersOf(text: string, from: number): JsonMember[] {
  const isObject = text.charAt(from) === '{';
  const members: JsonMember[] = [];
  let at = skipBlank(text, from + 1);
  while (at < text.length && text.charAt(at) !== '}' && text.charAt(at) !== ']') {
    const keyEnd = isObject ? endOfString(text, at) : at;
    const key = isObject ? text.slice(at, keyEnd) : '';
    const start = isObject ? skipBlank(text, skipBlank(text, keyEnd) + 1) : at;
    const to = endOfValue(text, start);
    members.push({ key, from: start, to });
    at = skipBlank(text, to);
    if (text.charAt(at) === ',') at = skipBlank(text, at + 1);
  }
  return members;
}

/** The value as it stands, without the blanks between its parts; numbers and strings keep every character. */
export function compactJson(text: string, { from, to }: JsonSpan): string {
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
