import { type ObjectSpans, sliceOf, spansOf } from '../json/json-spans.ts';

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
