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

/** The body with other elements in a list; every other character stays as it is. */
export function withElements(
  { text, members }: RequestBody,
  name: string,
  elements: readonly string[],
): string {
  const list = members.get(name);
  if (list === undefined) return text;
  return `${text.slice(0, list.start)}[${elements.join(',')}]${text.slice(list.end)}`;
}
