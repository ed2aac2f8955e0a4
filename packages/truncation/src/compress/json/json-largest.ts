import { compactJson, type JsonSpan, membersOf } from './json-scan.ts';

/** A value in a JSON text that is most of it. */
export interface LargestValue<Found> {
  readonly found: Found;
  /** Its place, `$` for the whole. */
  readonly path: string;
  /** What stands around it, as JSON that parses with an empty value between; absent if the value is all there is. */
  readonly around?: { readonly before: string; readonly after: string };
}

/** How deep a value is looked for, and the least share of the text that it is, tenths. */
const [maxDepth, leastTenths] = [4, 6];

function largestOf(text: string, from: number) {
  if (text.charAt(from) !== '{' && text.charAt(from) !== '[') return undefined;
  const isList = text.charAt(from) === '[';
  const members = membersOf(text, from).map((member, at) => ({
    ...member,
    key: isList ? String(at) : member.key,
  }));
  const size = ({ from: start, to }: JsonSpan): number => to - start;
  return members.reduce<(typeof members)[number] | undefined>(
    (a, b) => (a === undefined || size(b) > size(a) ? b : a),
    undefined,
  );
}

/**
 * Follows the largest member of each object and list, as long as it is most of the text, to the first value that is looked for.
 * The text is known to parse. Takes time linear in it.
 */
export function findLargest<Found>(
  text: string,
  look: (from: number) => Found | undefined,
): LargestValue<Found> | undefined {
  let from = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  let path = '$';
  let around: LargestValue<Found>['around'];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const found = look(from);
    if (found !== undefined) return { found, path, ...(around && { around }) };
    const largest = largestOf(text, from);
    if (largest === undefined || (largest.to - largest.from) * 10 < text.length * leastTenths)
      return undefined;
    around = {
      before: compactJson(text, { from: 0, to: largest.from }),
      after: compactJson(text, { from: largest.to, to: end }),
    };
    path = `${path}[${largest.key}]`;
    from = largest.from;
  }
  return undefined;
}
