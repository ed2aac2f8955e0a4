import { elementsOf, membersOf, sliceOf, valueIn, withMember } from '../../json/json-spans.ts';

/**
 * A content without the results that stand in it before, word for word: Gemini CLI writes each result of a resumed session twice, while
 * the API wants one for each call. Everything else keeps its bytes; a content without such a result comes back as it is.
 */
export function withoutEchoes(raw: string): string {
  if (!raw.includes('"functionResponse"')) return raw;
  const list = membersOf(raw, valueIn(raw)).get('parts');
  if (list === undefined || raw[list.start] !== '[') return raw;
  const parts = elementsOf(raw, list).map((span) => sliceOf(raw, span));
  const seen = new Set<string>();
  const isResult = (part: string): boolean =>
    membersOf(part, valueIn(part)).has('functionResponse');
  const kept = parts.filter((part) => {
    const isEcho = seen.has(part) && isResult(part);
    seen.add(part);
    return !isEcho;
  });
  return kept.length === parts.length ? raw : withMember(raw, 'parts', `[${kept.join(',')}]`);
}
