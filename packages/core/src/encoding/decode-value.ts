import { decodeTagged, type Fill, isPlainContainer } from './decode-tagged.ts';
import { type EncodedContainer, setOwn, tagKey } from './encoded-value.ts';

interface Work {
  readonly made: Map<EncodedContainer, unknown>;
  readonly open: Fill[];
}

/**
 * Decodes what `encodeValue` encoded. Takes any plain JSON data.
 *
 * Never throws, sets no prototype and builds only built-in types (Map, Set, Date, Error, …): an unknown, malformed or
 * `described` tag stays data. The result shares nothing with the input. Depth uses no stack.
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
 * Parses and decodes JSON text. Only parses if no part of the text can be a tag.
 * @throws SyntaxError if the text is not JSON
 */
export function decodeJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return mayHoldTags(text) ? decodeValue(parsed) : parsed;
}

/** Returns whether the text may hold a tag, including one written with an escape. */
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

/** Rebuilds a value from its flat table. Returns anything that is not a valid table unchanged. */
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
