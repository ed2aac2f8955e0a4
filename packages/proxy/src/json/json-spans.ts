/** A part of a JSON text: from `start` up to, but without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;

/** Thrown where the text is not the JSON that was expected there. */
function unexpected(at: number): SyntaxError {
  return new SyntaxError(`unexpected JSON at character ${String(at)}`);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The place after a string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let from = at + 1; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) throw unexpected(at);
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** Most levels of one value. Values nested deeper take seconds to encode and to collect, and a stack to parse. */
const maxDepth = 200;

/** The place after an object or a list that begins at `at`. */
function endOfContainer(text: string, at: number): number {
  let depth = 0;
  for (let place = at; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) place = endOfString(text, place) - 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) {
        throw new SyntaxError(`JSON is nested more than ${String(maxDepth)} levels deep`);
      }
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  throw unexpected(at);
}

const scalar = /[^\s,\]}]+/y;

function endOfValue(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === quote) return endOfString(text, at);
  if (code === 0x7b || code === 0x5b) return endOfContainer(text, at);
  scalar.lastIndex = at;
  if (!scalar.test(text)) throw unexpected(at);
  return scalar.lastIndex;
}

/** Gets the position of a value, and returns the one after it. */
type ReadValue = (at: number) => number;

/** Reads the values of a container and returns the position after it. */
function walk(text: string, start: number, read: ReadValue): number {
  const close = text[start] === '{' ? '}' : ']';
  const first = skipBlanks(text, start + 1);
  return text[first] === close ? first + 1 : walkOn(text, close, { from: read(first), read });
}

/** Goes on after a value of a container, and returns the position after the container. */
function walkOn(
  text: string,
  close: '}' | ']',
  { from, read }: { readonly from: number; readonly read: ReadValue },
): number {
  let at = from;
  for (;;) {
    at = skipBlanks(text, at);
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') throw unexpected(at);
    at = read(skipBlanks(text, at + 1));
  }
}

/** The first value of a text. */
export function valueIn(text: string): Span {
  const start = skipBlanks(text, 0);
  return { start, end: endOfValue(text, start) };
}

/**
 * Returns where the elements of a list stand in a JSON text. It looks for their ends only: what they hold is not checked.
 * @throws SyntaxError if there is no list.
 */
export function elementsOf(text: string, list: Span): Span[] {
  const found: Span[] = [];
  endOfList(text, list.start, found);
  return found;
}

/** Adds elements to `found`. */
function readElements(text: string, found: Span[]): ReadValue {
  return (start) => {
    const end = endOfValue(text, start);
    found.push({ start, end });
    return end;
  };
}

/** The place after a list, whose elements are added to `found`. */
function endOfList(text: string, at: number, found: Span[]): number {
  if (text[at] !== '[') throw unexpected(at);
  return walk(text, at, readElements(text, found));
}

/**
 * Returns where the values of an object's members stand in a JSON text, by name.
 * @throws SyntaxError if there is no object, or if a name comes twice: the reader behind may take the other one.
 */
export function membersOf(text: string, object: Span): ReadonlyMap<string, Span> {
  return readMembers(text, object.start).members;
}

/** An object, cut into its members and the elements of its lists. */
export interface ObjectSpans {
  readonly members: ReadonlyMap<string, Span>;
  /** By the name of the member. */
  readonly lists: ReadonlyMap<string, readonly Span[]>;
}

/**
 * Returns where the members of the first object in a text stand, and the elements of those members that are lists. Cost: the text, read once.
 * @throws as {@link membersOf}.
 */
export function spansOf(text: string): ObjectSpans {
  return readMembers(text, skipBlanks(text, 0));
}

/**
 * The same for a text that begins as another one does, up to the end of the element `last` of its list `name`. Reads `rest` only, which
 * comes after that.
 * @throws as {@link membersOf}.
 */
export function spansAfter(
  rest: string,
  before: ObjectSpans,
  { name, last }: { readonly name: string; readonly last: number },
): ObjectSpans {
  const { start = 0 } = before.members.get(name) ?? {};
  const kept = before.lists.get(name)?.slice(0, last + 1) ?? [];
  const cut = kept.at(-1)?.end ?? start;
  const moved = (span: Span): Span => ({ start: span.start + cut, end: span.end + cut });
  const added: Span[] = [];
  const end = walkOn(rest, ']', { from: 0, read: readElements(rest, added) });
  const ahead = [...before.members].filter(([, span]) => span.end <= start);
  const list: Span = { start, end: end + cut };
  // With the names before, so that one that comes again is refused.
  const found = { members: new Map([...ahead, [name, list]]), lists: new Map<string, Span[]>() };
  walkOn(rest, '}', { from: end, read: readMember(rest, found) });
  const isAhead = new Set(ahead.map(([one]) => one));
  const members = [...found.members].map(([one, span], at): [string, Span] => [
    one,
    at > ahead.length ? moved(span) : span,
  ]);
  return {
    members: new Map(members),
    lists: new Map<string, readonly Span[]>([
      ...[...before.lists].filter(([one]) => isAhead.has(one)),
      [name, [...kept, ...added.map(moved)]],
      ...[...found.lists].map(([one, spans]): [string, Span[]] => [one, spans.map(moved)]),
    ]),
  };
}

/** Adds members to an object's. */
function readMember(
  text: string,
  { members, lists }: { readonly members: Map<string, Span>; readonly lists: Map<string, Span[]> },
): ReadValue {
  return (at) => {
    if (text[at] !== '"') throw unexpected(at);
    const nameEnd = endOfString(text, at);
    const name = String(JSON.parse(text.slice(at, nameEnd)));
    const colon = skipBlanks(text, nameEnd);
    if (text[colon] !== ':' || members.has(name)) throw unexpected(colon);
    const start = skipBlanks(text, colon + 1);
    const list: Span[] = [];
    const end = text[start] === '[' ? endOfList(text, start, list) : endOfValue(text, start);
    members.set(name, { start, end });
    if (text[start] === '[') lists.set(name, list);
    return end;
  };
}

function readMembers(text: string, place: number): ObjectSpans {
  if (text[place] !== '{') throw unexpected(place);
  const members = new Map<string, Span>();
  const lists = new Map<string, Span[]>();
  walk(text, place, readMember(text, { members, lists }));
  return { members, lists };
}

export function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** An object with another value for a member, or with one more member; every other character stays as it is. */
export function withMember(object: string, name: string, value: string): string {
  const place = valueIn(object);
  const span = membersOf(object, place).get(name);
  if (span !== undefined) return object.slice(0, span.start) + value + object.slice(span.end);
  const head = object.slice(place.start, place.end - 1);
  return `${head}${head.trim() === '{' ? '' : ','}${JSON.stringify(name)}:${value}}`;
}

/** An object without some of its members. */
export function withoutMembers(object: string, names: readonly string[]): string {
  const members = [...membersOf(object, valueIn(object))];
  if (members.every(([name]) => !names.includes(name))) return object;
  const kept = members.filter(([name]) => !names.includes(name));
  return `{${kept.map(([name, span]) => `${JSON.stringify(name)}:${sliceOf(object, span)}`).join(',')}}`;
}

/** A copy that does not keep the text alive from which it was cut. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** A list with one more value at its end. */
export function withLast(list: string, value: unknown): string {
  const end = list.lastIndexOf(']');
  const isEmpty = elementsOf(list, valueIn(list)).length === 0;
  return `${list.slice(0, end)}${isEmpty ? '' : ','}${JSON.stringify(value)}${list.slice(end)}`;
}
