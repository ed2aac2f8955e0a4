/** A row of the viewer: a line, or a part of one too long for a row. */
export interface TextRow {
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly part: number;
  readonly text: string;
}

/** A longer line takes several rows: a browser lays out no line of a million characters in time. */
const rowCharacters = 2000;

/** Where a part that begins at `start` ends; never inside a surrogate pair. */
function endOf(line: string, start: number): number {
  const end = start + rowCharacters;
  if (end >= line.length) return line.length;
  return (line.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}

/** The rows of a text. Joined by line and part they are the text again, but for a line break at its end. Pure. */
export function rowsOf(text: string): TextRow[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.flatMap((line, index) => {
    if (line.length <= rowCharacters) return [{ line: index + 1, part: 0, text: line }];
    const parts: TextRow[] = [];
    for (let start = 0; start < line.length; ) {
      const end = endOf(line, start);
      parts.push({ line: index + 1, part: parts.length, text: line.slice(start, end) });
      start = end;
    }
    return parts;
  });
}
