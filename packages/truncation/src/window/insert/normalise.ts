/** Shortest run of equal lines that is worth a count. */
const minRun = 4;

/** Escape sequences of terminals: colours, cursor, titles. Linear: no quantifier overlaps its neighbour. */
const escapes =
  // eslint-disable-next-line no-control-regex -- these are the signs that have to go
  /\u001b(?:\[[0-9;:?<=>]*[ -/]?[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][0-9A-Za-z]|[=>78cDEHMNOZ])/g;

/** What a terminal shows in the end of a line that was written over: progress bars come back to its beginning. */
function lastWritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1);
}

function countRuns(lines: readonly string[]): readonly string[] {
  if (!lines.some((line, index) => line === lines[index + 1])) return lines;
  const kept: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    let end = index + 1;
    while (end < lines.length && lines[end] === line) end += 1;
    const run = end - index;
    if (run < minRun) for (let count = 0; count < run; count += 1) kept.push(line);
    else kept.push(line, `[… ${String(run - 1)} more lines like this …]`);
    index = end;
  }
  return kept;
}

/** The lines as a terminal would show them in the end: without colours, and what was written over. Their number stays the same. */
function writtenLines(text: string): string[] {
  const plain = text.includes('\u001b') ? text.replace(escapes, '') : text;
  const lines = plain.split('\n');
  return plain.includes('\r') ? lines.map(lastWritten) : lines;
}

/** `writtenLines` as pointers count them: a line break at the end begins no further one. */
export function plainLines(text: string): string[] {
  const lines = writtenLines(text);
  return text.endsWith('\n') ? lines.slice(0, -1) : lines;
}

/**
 * Takes out of a tool's output what a terminal would not show either: colours, overwritten progress bars, and of runs of
 * equal lines all but one, which are counted.
 * Pure; a text without any of this comes back as it is. Takes linear time.
 */
export function normaliseText(text: string): string {
  return countRuns(writtenLines(text)).join('\n');
}
