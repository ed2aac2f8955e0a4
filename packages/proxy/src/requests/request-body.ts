import {
  copyOf,
  type ObjectSpans,
  type Span,
  sliceOf,
  spansAfter,
  spansOf,
} from '../json/json-spans.ts';

/** The body of a request, cut into its members. */
export interface RequestBody extends ObjectSpans {
  readonly text: string;
}

/**
 * Cuts a body into its members.
 * @throws SyntaxError if it is no JSON object.
 */
export function readBody(text: string): RequestBody {
  return { text, ...spansOf(text) };
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

/** The body of a text that begins as another body does, up to the last messages of that one; `undefined` if it does not. */
function readAfter(text: string, before: RequestBody): RequestBody | undefined {
  const name = longestOf(before);
  const last = (before.lists.get(name)?.length ?? 0) - 1 - changing;
  const end = before.lists.get(name)?.[last]?.end;
  if (end === undefined || text.slice(0, end) !== before.text.slice(0, end)) return undefined;
  const body = { text, ...spansAfter(text, before, { name, last }) };
  const known = cutOut
    .get(before)
    ?.get(name)
    ?.slice(0, last + 1);
  if (known !== undefined) cutOut.set(body, new Map([[name, known]]));
  return body;
}

/** Returns a function that does what `readBody` does, and of a body that begins as a recent one did reads the rest only. */
export function createBodyReader(): typeof readBody {
  let recent: readonly RequestBody[] = [];
  return (text) => {
    for (const before of recent) {
      const body = readAfter(text, before);
      if (body === undefined) continue;
      recent = [body, ...recent.filter((one) => one !== before)];
      return body;
    }
    const body = readBody(text);
    if (text.length <= remembered.characters) {
      recent = [body, ...recent].slice(0, remembered.bodies);
    }
    return body;
  };
}

/** JSON of a member; `undefined` if there is none. */
export function memberText({ text, members }: RequestBody, name: string): string | undefined {
  const span = members.get(name);
  return span === undefined ? undefined : sliceOf(text, span);
}

/** A member that is small, parsed. */
export function memberValue(body: RequestBody, name: string): unknown {
  const text = memberText(body, name);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function cutElements(body: RequestBody, name: string, list: readonly Span[]): readonly string[] {
  const known = cutOut.get(body)?.get(name) ?? [];
  if (known.length === list.length) return known;
  const rest = list.slice(known.length).map((span) => copyOf(sliceOf(body.text, span)));
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
  { text, members }: RequestBody,
  changed: Readonly<Record<string, string>>,
): string {
  const places = Object.entries(changed).flatMap(([name, value]) => {
    const span = members.get(name);
    return span === undefined ? [] : [{ ...span, value }];
  });
  return places
    .sort((a, b) => b.start - a.start)
    .reduce((body, { start, end, value }) => body.slice(0, start) + value + body.slice(end), text);
}
