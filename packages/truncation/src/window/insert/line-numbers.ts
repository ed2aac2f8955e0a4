/** Stands above a text of which only some lines bear their numbers. */
const notice = '[ctx: every tenth line is numbered]';

/** Shorter runs of numbered lines stay as they are, lines. */
const minRun = 3;

/**
 * Width of the column that read tools put numbers in. Source: `cat -n`. A number that fills it has no space before it and
 * stays as it is.
 */
const columnWidth = 6;

/** A line with its number. */
interface NumberedLine {
  readonly number: number;
  /** What stands between the number and the line: an arrow or a tab. */
  readonly mark: string;
  readonly text: string;
}

function markedAt(line: string, place: number): NumberedLine | undefined {
  const mark = line.charAt(place);
  if (mark !== '→' && mark !== '\t') return undefined;
  const digits = line.slice(0, place).trimStart();
  if (!/^[1-9][0-9]{0,4}$/.test(digits)) return undefined;
  return { number: Number(digits), mark, text: line.slice(place + 1) };
}

/** The line, where its number stands in the column of `cat -n`. */
function inColumn(line: string | undefined): NumberedLine | undefined {
  return line?.startsWith(' ') === true ? markedAt(line, columnWidth) : undefined;
}

/** The line, where its number stands at its beginning. */
function atStart(line: string | undefined): NumberedLine | undefined {
  const end = line?.search(/[^0-9]/) ?? -1;
  return line !== undefined && end > 0 && end < columnWidth ? markedAt(line, end) : undefined;
}

function goesOn(first: NumberedLine, line: NumberedLine | undefined, distance: number): boolean {
  return line?.number === first.number + distance && line.mark === first.mark;
}

/** How many lines from here on bear numbers that follow each other. */
function runLength(lines: readonly string[], start: number, first: NumberedLine): number {
  let length = 1;
  while (goesOn(first, inColumn(lines[start + length]), length)) length += 1;
  return length;
}

/** A run with the numbers of its first, its last and every tenth line. */
function thinRun(lines: readonly string[], first: NumberedLine): string[] {
  return lines.map((line, offset) => {
    const number = first.number + offset;
    const text = line.slice(columnWidth + 1);
    const isShown = offset === 0 || offset === lines.length - 1 || number % 10 === 0;
    return isShown ? `${String(number)}${first.mark}${text}` : text;
  });
}

/**
 * The lines with fewer numbers: a run of lines that are numbered as `cat -n` does keeps the numbers of its first, its last and
 * every tenth line, at the beginning of these lines; under a line that says so.
 * Pure; {@link withEveryNumber} gives exactly `text` again; `undefined` where it would not, or where no run is.
 * Takes linear time.
 */
export function withEveryTenthNumber(text: string): string | undefined {
  const lines = text.split('\n');
  if (!lines.some((line) => inColumn(line) !== undefined)) return undefined;
  const shown: string[] = [notice];
  let runs = 0;
  for (let index = 0; index < lines.length; ) {
    const first = inColumn(lines[index]);
    const length = first === undefined ? 1 : runLength(lines, index, first);
    const run = lines.slice(index, index + length);
    const isThin = first !== undefined && length >= minRun;
    if (isThin) runs += 1;
    for (const line of isThin ? thinRun(run, first) : run) shown.push(line);
    index += length;
  }
  if (runs === 0) return undefined;
  const thin = shown.join('\n');
  return withEveryNumber(thin) === text ? thin : undefined;
}

/** How far away the next line of the run is that bears a number; 0 where the run ends here. */
function nextNumbered(lines: readonly string[], start: number, first: NumberedLine): number {
  const furthest = 10 - (first.number % 10);
  for (let far = 1; far <= furthest; far += 1) {
    if (goesOn(first, atStart(lines[start + far]), far)) return far;
  }
  return 0;
}

function padded(number: number, mark: string, text: string): string {
  return `${String(number).padStart(columnWidth)}${mark}${text}`;
}

/**
 * The text whose numbers {@link withEveryTenthNumber} took out; any other text as it is.
 * Pure. Takes linear time.
 */
export function withEveryNumber(text: string): string {
  const [head, ...lines] = text.split('\n');
  if (head !== notice) return text;
  let isInRun = false;
  for (let index = 0; index < lines.length; ) {
    const first = atStart(lines[index]);
    const far = first === undefined ? 0 : nextNumbered(lines, index, first);
    if (first !== undefined && (far > 0 || isInRun)) {
      lines[index] = padded(first.number, first.mark, first.text);
    }
    for (let offset = 1; first !== undefined && offset < far; offset += 1) {
      lines[index + offset] = padded(
        first.number + offset,
        first.mark,
        lines[index + offset] ?? '',
      );
    }
    isInRun = far > 0;
    index += Math.max(far, 1);
  }
  return lines.join('\n');
}
