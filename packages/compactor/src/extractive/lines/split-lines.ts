/** A line longer than this is cut at a sentence or a space, characters. */
const maxLine = 240;

/** The number and sign that file viewers put before a line. */
const lineNumber = /^\s{0,8}\d{1,7}(?:→|\t|\|)/;

/**
 * Cuts a text into lines worth listing: without line numbers of file viewers and outer white space, long ones cut, lines
 * without letters or digits left out. Takes linear time.
 */
export function linesOfText(text: string): string[] {
  const lines: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.replace(lineNumber, '').trim();
    if (line.length > maxLine) pushPieces(line, lines);
    else if (hasWord(line)) lines.push(line);
  }
  return lines;
}

function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(line);
}

function pushPieces(line: string, lines: string[]): void {
  let position = 0;
  while (position < line.length) {
    const end = endOfPiece(line, position);
    const piece = line.slice(position, end).trim();
    if (hasWord(piece)) lines.push(piece);
    position = end;
  }
}

/** After the last sentence that ends within reach, else after the last space, else where the reach ends. */
function endOfPiece(line: string, start: number): number {
  const limit = start + maxLine;
  if (limit >= line.length) return line.length;
  const window = line.slice(start, limit);
  const sentence = Math.max(...['. ', '! ', '? ', '; '].map((sign) => window.lastIndexOf(sign)));
  if (sentence > maxLine / 4) return start + sentence + 2;
  const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf(','));
  if (space > maxLine / 4) return start + space + 1;
  const isInsidePair = (line.codePointAt(limit - 1) ?? 0) > 0xffff;
  return isInsidePair ? limit + 1 : limit;
}
