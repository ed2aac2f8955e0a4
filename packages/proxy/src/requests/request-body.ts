import { type ObjectSpans, sliceOf, spansAfter, spansOf } from '../json/json-spans.ts';

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
  return { text, ...spansAfter(text, before, { name, last }) };
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

/**
 * JSON of each element of a list; none if there is no such member.
 * @throws SyntaxError if it is no list.
 */
export function elementTexts({ text, members, lists }: RequestBody, name: string): string[] {
  const list = lists.get(name);
  if (list === undefined && members.has(name)) throw new SyntaxError(`${name} is no list`);
  return list?.map((span) => sliceOf(text, span)) ?? [];
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
