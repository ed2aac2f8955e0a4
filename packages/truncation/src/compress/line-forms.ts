// What a character of a line is. Read from a table: patterns take four times as long, and a long output has many lines.
const digitBit = 1;
const hexBit = 2;
const letterBit = 4;

const bitsOfCode: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return digitBit | hexBit;
  if (/[a-f]/i.test(character)) return letterBit | hexBit;
  return /[a-z]/i.test(character) ? letterBit : 0;
});

function bitsAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code < 128 ? (bitsOfCode[code] ?? 0) : 0;
}

/** Where the run of characters of a kind ends that begins at `from`. */
function endOfRun(line: string, from: number, bit: number): number {
  let end = from;
  while (end < line.length && (bitsAt(line, end) & bit) !== 0) end += 1;
  return end;
}

/** Shortest run of hexadecimal digits that is a hash or an address, and no word. */
const leastHex = 8;

/** Where the number ends that begins at `at`: eight or more hexadecimal digits, or decimal ones; `at` if none begins there. */
function endOfNumber(line: string, at: number): number {
  const end = endOfRun(line, at, hexBit);
  return end - at >= leastHex ? end : endOfRun(line, at, digitBit);
}

/** A line with `#` in place of each number: two lines are of one form if these are equal. Reads each character at most nine times. */
export function formOf(line: string): string {
  let form = '';
  let shown = 0;
  for (let at = 0; at < line.length; ) {
    const end = (bitsAt(line, at) & hexBit) === 0 ? at : endOfNumber(line, at);
    if (end === at) {
      at += 1;
      continue;
    }
    form += `${line.slice(shown, at)}#`;
    shown = end;
    at = end;
  }
  return shown === 0 ? line : form + line.slice(shown);
}

/** Whether a line has two words of three or more letters. */
export function hasTwoWords(line: string): boolean {
  let words = 0;
  for (let at = 0; at < line.length && words < 2; ) {
    const end = endOfRun(line, at, letterBit);
    if (end - at >= 3) words += 1;
    at = end + 1;
  }
  return words === 2;
}
