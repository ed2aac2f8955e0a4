/** A file's content between tags: `<file_content path="…">…</file_content>`. */
export interface FileTag {
  /** The name of the tag. */
  readonly name: string;
  readonly path: string;
  /** Where the content begins and ends in the text, tags not included. */
  readonly start: number;
  readonly end: number;
}

/** Signs that may stand between attributes. */
const spaces = ' \t\r\n';

/**
 * Finds every pair of tags of one of the `names` with an attribute `path`, attributes in any order, further ones ignored.
 * Pure; tags inside of a content that was found are content. What is not well written is passed over.
 * Takes time linear in the text, whatever it holds: a missing closing tag is looked for once a name.
 */
export function findFileTags(text: string, names: readonly string[]): FileTag[] {
  const tags: FileTag[] = [];
  let open = names.map((name) => ({ name, at: openingAt(text, name, 0) }));
  for (;;) {
    open = open.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
    const next = open[0];
    if (next === undefined) return tags;
    const { name } = next;
    const read = readAttributes(text, next.at + name.length + 1);
    const { path } = read;
    const end = path === undefined ? read.end : text.indexOf(`</${name}>`, read.end);
    if (path !== undefined && end >= 0) tags.push({ name, path, start: read.end, end });
    open = open.map((one) => {
      if (one.at >= Math.max(end, next.at + 1)) return one;
      if (one === next && end < 0) return { ...one, at: -1 };
      return { ...one, at: openingAt(text, one.name, Math.max(end, read.end)) };
    });
  }
}

function openingAt(text: string, name: string, from: number): number {
  return text.indexOf(`<${name}`, from);
}

interface ReadTag {
  /** Absent where the tag is not well written or has no path. */
  readonly path?: string;
  /** Index after what was read. */
  readonly end: number;
}

/** Reads ` key="value"` until `>`; stops at the first sign that does not fit. */
function readAttributes(text: string, from: number): ReadTag {
  let at = from;
  let path: string | undefined;
  for (;;) {
    const start = skipSpaces(text, at);
    if (text[start] === '>') return { ...(path === undefined ? {} : { path }), end: start + 1 };
    const attribute = start === at ? undefined : readAttribute(text, start);
    if (attribute === undefined) return { end: start };
    if (attribute.key === 'path') path ??= attribute.value;
    at = attribute.end;
  }
}

interface Attribute {
  readonly key: string;
  readonly value: string;
  readonly end: number;
}

/** Longest value that is read, characters: paths are shorter. */
const maxValue = 4096;
/** Longest name of an attribute. */
const maxKey = 64;

function readAttribute(text: string, start: number): Attribute | undefined {
  let at = start;
  while (at - start < maxKey && /[\w:-]/.test(text.charAt(at))) at += 1;
  const quote = text[at + 1];
  if (at === start || text[at] !== '=' || (quote !== '"' && quote !== "'")) return undefined;
  const value = text.slice(at + 2, at + 2 + maxValue);
  const length = value.indexOf(quote);
  if (length < 0) return undefined;
  return { key: text.slice(start, at), value: value.slice(0, length), end: at + 3 + length };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && spaces.includes(text.charAt(at))) at += 1;
  return at;
}
