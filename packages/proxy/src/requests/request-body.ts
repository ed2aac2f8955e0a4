import { elementsOf, membersOf, type Span, sliceOf, valueIn } from '../json/json-spans.ts';

/** The body of a request, cut into its members. */
export interface RequestBody {
  readonly text: string;
  readonly members: ReadonlyMap<string, Span>;
}

/**
 * Cuts a body into its members.
 * @throws SyntaxError if it is no JSON object.
 */
export function readBody(text: string): RequestBody {
  return { text, members: membersOf(text, valueIn(text)) };
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

/** JSON of each element of a list. */
export function elementTexts({ text, members }: RequestBody, name: string): string[] {
  const list = members.get(name);
  return list === undefined ? [] : elementsOf(text, list).map((span) => sliceOf(text, span));
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
