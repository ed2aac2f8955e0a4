import { Buffer, isAscii } from 'node:buffer';
import { copyOf, type ObjectSpans, type Span, spansAfter, spansOf } from '../json/json-spans.ts';

/** The body of a request, cut into its members. */
export interface RequestBody extends ObjectSpans {
  /** Characters. */
  readonly length: number;
  /** Texts that it consists of. */
  readonly pieces: number;
  /** Its text from `start` up to, but without, `end`; all of it by default. */
  readonly slice: (start?: number, end?: number) => string;
}

/**
 * Cuts a body into its members.
 * @throws SyntaxError if it is no JSON object.
 */
export function readBody(text: string): RequestBody {
  return wholeBody(text, spansOf(text));
}

function wholeBody(text: string, spans: ObjectSpans): RequestBody {
  const { length } = text;
  return { ...spans, length, pieces: 1, slice: (start, end) => text.slice(start, end) };
}

/** Most texts that a body consists of: each keeps some of the last messages of the request before alive. */
const mostPieces = 16;

/**
 * A body that begins as a known one. The texts are not joined: to copy the hundred thousands of characters that a long
 * conversation has takes longer than to read what is new.
 */
function bodyAfter(
  { body: before, end: cut }: KnownBody,
  rest: string,
  spans: ObjectSpans,
): RequestBody {
  const length = cut + rest.length;
  const slice = (start = 0, end = length): string => {
    const ahead = start < cut ? before.slice(start, Math.min(end, cut)) : '';
    return end > cut ? ahead + rest.slice(Math.max(0, start - cut), end - cut) : ahead;
  };
  return before.pieces < mostPieces
    ? { ...spans, length, pieces: before.pieces + 1, slice }
    : wholeBody(slice(), spans);
}

/** The elements of lists that were cut out of a body, by the name of the list. */
const cutOut = new WeakMap<RequestBody, ReadonlyMap<string, readonly string[]>>();

/** Most bodies that are remembered, and the longest that is, characters. */
const remembered = { bodies: 3, characters: 4_000_000 };

/** Clients move a mark over so many of the last messages of a request. */
const changing = 3;

/** The longest list of a body. */
function longestOf({ lists }: RequestBody): string {
  const lengthOf = (name: string): number => lists.get(name)?.length ?? 0;
  return [...lists.keys()].reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a), '');
}

/**
 * Returns the text of a body.
 * @throws TypeError if it is not UTF-8.
 */
function textOf(bytes: Uint8Array): string {
  // Source code mostly is ASCII, and that is read in a fifth of the time.
  if (isAscii(bytes))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** A body that others may begin as: up to the end of an element of its longest list. */
interface KnownBody {
  readonly body: RequestBody;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly last: number;
  /** The end of that element in the text, and in the bytes. */
  readonly end: number;
  readonly endBytes: number;
}

/** What is remembered of a body; `undefined` if its lists are too short for that. `known`: a place of it in the text, and in the bytes. */
function knownOf(
  body: RequestBody,
  bytes: Uint8Array,
  known: Pick<KnownBody, 'end' | 'endBytes'>,
): KnownBody | undefined {
  const name = longestOf(body);
  const last = (body.lists.get(name)?.length ?? 0) - 1 - changing;
  const end = body.lists.get(name)?.[last]?.end;
  if (end === undefined) return undefined;
  const [from, fromBytes] = known.end <= end ? [known.end, known.endBytes] : [0, 0];
  const endBytes = fromBytes + Buffer.byteLength(body.slice(from, end));
  return { body, bytes, name, last, end, endBytes };
}

/** The body of bytes that begin as another body does, up to the last messages of that one; `undefined` if they do not. */
function readAfter(bytes: Uint8Array, before: KnownBody): RequestBody | undefined {
  const { body: known, name, last, endBytes } = before;
  const isSame =
    bytes.length >= endBytes &&
    Buffer.compare(bytes.subarray(0, endBytes), before.bytes.subarray(0, endBytes)) === 0;
  if (!isSame) return undefined;
  const rest = textOf(bytes.subarray(endBytes));
  const body = bodyAfter(before, rest, spansAfter(rest, known, { name, last }));
  const elements = cutOut
    .get(known)
    ?.get(name)
    ?.slice(0, last + 1);
  if (elements !== undefined) cutOut.set(body, new Map([[name, elements]]));
  return body;
}

/** Cuts the bytes of a body into its members. */
export type ReadBody = (bytes: Uint8Array) => RequestBody;

/**
 * Returns a function that reads bytes as `readBody` reads their text, and of a body that begins as a recent one did the rest only.
 * It throws SyntaxError for what is no JSON object, and TypeError for what is not UTF-8.
 */
export function createBodyReader(): ReadBody {
  let recent: readonly KnownBody[] = [];
  const remember = (one: KnownBody | undefined, instead?: KnownBody): void => {
    if (one === undefined || one.body.length > remembered.characters) return;
    recent = [one, ...recent.filter((other) => other !== instead)].slice(0, remembered.bodies);
  };
  return (bytes) => {
    for (const before of recent) {
      const body = readAfter(bytes, before);
      if (body === undefined) continue;
      remember(knownOf(body, bytes, before), before);
      return body;
    }
    const body = readBody(textOf(bytes));
    remember(knownOf(body, bytes, { end: 0, endBytes: 0 }));
    return body;
  };
}

/** JSON of a member; `undefined` if there is none. */
export function memberText({ members, slice }: RequestBody, name: string): string | undefined {
  const span = members.get(name);
  return span === undefined ? undefined : slice(span.start, span.end);
}

/** A member that is small, parsed. */
export function memberValue(body: RequestBody, name: string): unknown {
  const text = memberText(body, name);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function cutElements(body: RequestBody, name: string, list: readonly Span[]): readonly string[] {
  const known = cutOut.get(body)?.get(name) ?? [];
  if (known.length === list.length) return known;
  const rest = list.slice(known.length).map(({ start, end }) => copyOf(body.slice(start, end)));
  const elements = [...known, ...rest];
  cutOut.set(body, new Map([...(cutOut.get(body) ?? []), [name, elements]]));
  return elements;
}

/**
 * JSON of each element of a list; none if there is no such member. Elements that a recent body began with are the same strings, so that
 * comparing them costs nothing; none keeps the text of the body alive.
 * @throws SyntaxError if it is no list.
 */
export function elementTexts(body: RequestBody, name: string): readonly string[] {
  const list = body.lists.get(name);
  if (list === undefined && body.members.has(name)) throw new SyntaxError(`${name} is no list`);
  return cutElements(body, name, list ?? []);
}

/** The body with other JSON for some of its members; every other character stays as it is. */
export function withMembers(
  { members, slice }: RequestBody,
  changed: Readonly<Record<string, string>>,
): string {
  const places = Object.entries(changed).flatMap(([name, value]) => {
    const span = members.get(name);
    return span === undefined ? [] : [{ ...span, value }];
  });
  let text = '';
  let from = 0;
  for (const { start, end, value } of places.sort((a, b) => a.start - b.start)) {
    text += slice(from, start) + value;
    from = end;
  }
  return text + slice(from);
}
