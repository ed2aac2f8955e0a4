/** From this length on a text with headings is a document that somebody pasted or a host put in, characters. */
const documentCharacters = 1200;

/** Headings that make a long text a document. */
const documentHeadings = 2;

/** How names of elements look that hosts put into messages, such as `system-reminder` or `file_content`. */
const hostElement = /<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)(?=[\s>])/gi;

/** Leaves out what stands in elements of hosts; one that does not end reaches to the end. */
function withoutElements(text: string): string {
  let kept = '';
  let position = 0;
  for (const found of text.matchAll(hostElement)) {
    if (found.index < position) continue;
    kept += `${text.slice(position, found.index)}\n`;
    const close = `</${found[1] ?? ''}>`;
    const end = text.indexOf(close, found.index);
    if (end === -1) return kept;
    position = end + close.length;
  }
  return kept + text.slice(position);
}

function isHeading(line: string): boolean {
  return /^#{1,6} \S/.test(line);
}

/** The first line of a document inside of the text: a heading, or the head of a file. */
function documentStart(lines: readonly string[]): number | undefined {
  const headings = lines.filter(isHeading).length;
  const hasHead = lines[0]?.trim() === '---' && lines.indexOf('---', 1) > 1;
  if (headings < documentHeadings && !hasHead) return undefined;
  return hasHead ? 0 : lines.findIndex(isHeading);
}

/**
 * What a person said in a message themselves: without code, quoted lines, elements of hosts, and without the documents that stand in
 * it, of which only what is said before them counts.
 * Contract: pure. Cost: linear.
 */
export function ownWords(text: string): string {
  const spoken = withoutElements(withoutCode(text))
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('>'));
  const isLong = spoken.reduce((sum, line) => sum + line.length + 1, 0) > documentCharacters;
  const start = isLong ? documentStart(spoken) : undefined;
  return spoken.slice(0, start).join('\n').trim();
}

/** Leaves out what stands between fences. */
export function withoutCode(text: string): string {
  const parts = text.split('```');
  return parts.filter((_, index) => index % 2 === 0).join('\n');
}
