import { decodeTagged, type Fill, isPlainContainer } from './decode-tagged.ts';
import { type EncodedContainer, setOwn, tagKey } from './encoded-value.ts';

interface Work {
  readonly made: Map<EncodedContainer, unknown>;
  readonly open: Fill[];
}

/**
 * Gives back the value that `encodeValue` was given; takes any plain JSON data.
 * Contract: never throws. Sets no prototype and builds only the platform's own kinds (Map, Set, Date, Error, …): a tag that is
 * unknown, malformed or `described` stays data. The result shares nothing with the input.
 * Cost: linear; depth costs no stack.
 */
export function decodeValue(encoded: unknown): unknown {
  if (typeof encoded !== 'object') return encoded;
  const work: Work = { made: new Map(), open: [] };
  const root = decodeChild(work, graphOf(encoded));
  for (let fill = work.open.pop(); fill; fill = work.open.pop()) {
    fill((child) => decodeChild(work, child));
  }
  return root;
}

/**
 * The value of a text that `encodeValue` and `JSON.stringify` made. Throws: what `JSON.parse` throws.
 * Cost: that of parsing alone where nothing in the text can be a tag.
 */
export function decodeJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return mayHoldTags(text) ? decodeValue(parsed) : parsed;
}

/** Whether something in the text may be a tag, also one that somebody wrote with an escape. */
export function mayHoldTags(text: string): boolean {
  return text.includes(tagKey) || text.includes('\\u00');
}

function decodeChild(work: Work, encoded: unknown): unknown {
  if (!isPlainContainer(encoded)) return encoded;
  if (work.made.has(encoded)) return work.made.get(encoded);
  const { value, fill } = decodeTagged(encoded) ?? decodePlain(encoded);
  work.made.set(encoded, value);
  if (fill) work.open.push(fill);
  return value;
}

function decodePlain(encoded: EncodedContainer): { value: object; fill: Fill } {
  const value = Array.isArray(encoded) ? [] : {};
  const fill: Fill = (decode) => {
    for (const [key, child] of Object.entries(encoded)) setOwn(value, key, decode(child));
  };
  return { value, fill };
}

/** Ties the rows of a table together again. What is no table (or a broken one) is given back as it is. */
function graphOf(encoded: unknown): unknown {
  if (!isPlainContainer(encoded) || Array.isArray(encoded)) return encoded;
  const rows = encoded['nodes'];
  if (encoded[tagKey] !== 'table' || !Array.isArray(rows)) return encoded;
  const nodes = rows.map((row) => (Array.isArray(row) ? [] : {}));
  for (const [place, row] of rows.entries()) {
    const node = nodes[place];
    if (!isPlainContainer(row) || !node || !tieRow(row, node, nodes)) return encoded;
  }
  return nodes[0] ?? encoded;
}

function tieRow(row: EncodedContainer, node: object, nodes: readonly object[]): boolean {
  for (const [key, child] of Object.entries(row)) {
    if (typeof child !== 'object' || child === null) {
      setOwn(node, key, child);
      continue;
    }
    const place = Array.isArray(child) && child.length === 1 ? child[0] : undefined;
    const target = typeof place === 'number' ? nodes[place] : undefined;
    if (!target) return false;
    setOwn(node, key, target);
  }
  return true;
}
