// What a character of a line is. Read from a table: patterns take four times as long, and a long output has many lines.
const digitBit = 1;
const hexBit = 2;
const letterBit = 4;
const nameBit = 8;
const idBit = 16;

const bitsOfCode: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const kinds = [/\d/, /[\da-f]/i, /[a-z]/i, /[\w$]/, /[\w-]/];
  return kinds.reduce((bits, kind, at) => bits | (kind.test(character) ? 1 << at : 0), 0);
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

/** A 52-bit hash of a line's form: two lines are of one form if they are alike but for their numbers. Forms collide about once in many billions. */
export function formKey(line: string): number {
  let [low, high] = [0, 0];
  for (let at = 0; at < line.length; ) {
    const end = (bitsAt(line, at) & hexBit) === 0 ? at : endOfNumber(line, at);
    // No line holds this sign beside its numbers: it is above all codes.
    const code = end === at ? line.charCodeAt(at) : 0x1_0000;
    low = Math.imul(low ^ code, 0x0100_0193);
    high = (Math.imul(high, 31) + code) | 0;
    at = Math.max(at + 1, end);
  }
  return (low >>> 0) * 2 ** 20 + (high & 0xf_ffff);
}

/** Visits the numbers of a line, those that make no other form, in order. In one of hexadecimal digits letters count by their codes: it is compared, not shown. */
export function eachNumber(line: string, visit: (number: number) => void): void {
  for (let at = 0; at < line.length; at += 1) {
    const end = (bitsAt(line, at) & hexBit) === 0 ? at : endOfNumber(line, at);
    if (end === at) continue;
    let number = 0;
    for (; at < end; at += 1) number = number * 10 + line.charCodeAt(at) - 48;
    visit(number);
  }
}

/** Whether a line has as many words of so many letters. */
export function hasWords(line: string, letters: number, least = 1): boolean {
  let words = 0;
  for (let at = 0; at < line.length && words < least; ) {
    const end = endOfRun(line, at, letterBit);
    if (end - at >= letters) words += 1;
    at = end + 1;
  }
  return words === least;
}

/** Whether one of the names in a line, of four or more letters, digits, `_` and `$`, is wanted. */
export function hasWord(line: string, isWanted: (word: string) => boolean): boolean {
  for (let at = 0; at < line.length; ) {
    // No name begins with a digit.
    const from = endOfRun(line, at, digitBit);
    const end = endOfRun(line, from, nameBit);
    if (end - from >= 4 && isWanted(line.slice(from, end))) return true;
    at = end + 1;
  }
  return false;
}

/** The words of a line that may be ids: four or more letters, digits, `_` and `-`, with a digit among them. */
export function idsOf(line: string): string[] {
  const found: string[] = [];
  let hasDigit = false;
  let from = 0;
  for (let at = 0; at <= line.length; at += 1) {
    const bits = bitsAt(line, at);
    if ((bits & idBit) !== 0) hasDigit ||= (bits & digitBit) !== 0;
    else {
      if (hasDigit && at - from >= 4) found.push(line.slice(from, at));
      hasDigit = false;
      from = at + 1;
    }
  }
  return found;
}
