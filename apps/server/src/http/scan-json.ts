/** What a body may be. */
export interface JsonLimits {
  /** Deepest nesting. */
  readonly maxDepth: number;
  /** Most members of objects, all together. */
  readonly maxKeys: number;
}

/** Why a body is not taken. */
export interface JsonRefusal {
  readonly status: 400 | 422;
  readonly detail: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Names that set what every object inherits, in one place or another. */
const forbiddenNames: ReadonlySet<string> = new Set(['__proto__']);

/** Where the text that begins at `start` (its quote) ends: the place of its closing quote, or the end. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    const sign = json.charCodeAt(at);
    if (sign === quote) return at;
    at += sign === backslash ? 2 : 1;
  }
  return json.length;
}

/** The name that a text of JSON means; `undefined` where it is not well-formed, which the parser will say. */
function nameOf(json: string, start: number, end: number): string | undefined {
  const raw = json.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  try {
    const name: unknown = JSON.parse(`"${raw}"`);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

interface Scan {
  readonly json: string;
  readonly limits: JsonLimits;
  /** Names seen in each object that is open; `undefined` for a list. */
  readonly open: (Set<string> | undefined)[];
  keys: number;
  /** Whether the next text is a name. */
  isNameNext: boolean;
}

function refusedName(name: string, seen: Set<string>): string | undefined {
  if (seen.has(name)) return 'The body names a member twice.';
  if (name.includes('\0')) return 'A name in the body holds U+0000.';
  if (forbiddenNames.has(name)) return 'The body has a member that no object may have.';
  return undefined;
}

function takeName(scan: Scan, start: number, end: number): JsonRefusal | undefined {
  const seen = scan.open.at(-1);
  const name = nameOf(scan.json, start, end);
  scan.isNameNext = false;
  if (seen === undefined || name === undefined) return undefined;
  scan.keys += 1;
  if (scan.keys > scan.limits.maxKeys) {
    const detail = `The body has more than ${String(scan.limits.maxKeys)} members.`;
    return { status: 400, detail };
  }
  const detail = refusedName(name, seen);
  seen.add(name);
  return detail === undefined ? undefined : { status: 422, detail };
}

function openOne(scan: Scan, isObject: boolean): JsonRefusal | undefined {
  scan.open.push(isObject ? new Set() : undefined);
  scan.isNameNext = isObject;
  if (scan.open.length <= scan.limits.maxDepth) return undefined;
  const detail = `The body is nested deeper than ${String(scan.limits.maxDepth)}.`;
  return { status: 400, detail };
}

function takeSign(scan: Scan, sign: number): JsonRefusal | undefined {
  if (sign === openBrace || sign === openBracket) return openOne(scan, sign === openBrace);
  if (sign === closeBrace || sign === closeBracket) {
    scan.open.pop();
    scan.isNameNext = false;
  } else if (sign === comma) scan.isNameNext = scan.open.at(-1) !== undefined;
  return undefined;
}

/**
 * Looks through a body before it is parsed: nothing behind the parser stands deep nesting, and what one reader takes for the first
 * of two equal names another takes for the last.
 * Says nothing of what is no JSON; the parser does. Makes one pass over the text, and remembers the names of open objects.
 */
export function refusalOfJson(json: string, limits: JsonLimits): JsonRefusal | undefined {
  const scan: Scan = { json, limits, open: [], keys: 0, isNameNext: false };
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    let refusal: JsonRefusal | undefined;
    if (sign === quote) {
      const end = endOfText(json, at);
      if (scan.isNameNext) refusal = takeName(scan, at, end);
      at = end;
    } else refusal = takeSign(scan, sign);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
