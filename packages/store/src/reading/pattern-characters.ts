import { CtxError } from '@ctx/core';

/** Tells whether one character (a UTF-16 code unit) fits. */
export type SignTest = (sign: string) => boolean;

const isDigit: SignTest = (sign) => sign >= '0' && sign <= '9';
/** As `\w` of JavaScript: ASCII only. */
export const isWordSign: SignTest = (sign) => /^\w$/.test(sign);
const isSpace: SignTest = (sign) => /^\s$/.test(sign);

const not =
  (test: SignTest): SignTest =>
  (sign) =>
    !test(sign);

/** `\d`, `\w`, `\s` and their opposites. */
const shorthands: ReadonlyMap<string, SignTest> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWordSign],
  ['W', not(isWordSign)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);

const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
]);

/** What a piece of a pattern stands for, and where the next piece begins. */
export interface SignPiece {
  readonly test: SignTest;
  /** The character itself, where the piece is one. */
  readonly literal?: string;
  readonly next: number;
}

/** The error for a pattern that is not understood. It names the place, not the pattern. */
export function badPattern(reason: string, at: number): CtxError {
  return new CtxError(
    'CTX_INVALID_ADDRESS',
    `the pattern has ${reason} at character ${String(at + 1)}; known are . [] () | * + ? {n,m} ^ $ \\d \\w \\s \\b`,
  );
}

/** Tests for one character, in any letter case where asked. */
export function literalSign(literal: string, ignoreCase: boolean): SignTest {
  if (!ignoreCase) return (sign) => sign === literal;
  const upper = upperOf(literal);
  return (sign) => upperOf(sign) === upper;
}

/** Reads what stands after a backslash at `at - 1`. */
export function readEscape(source: string, at: number, ignoreCase: boolean): SignPiece {
  const sign = source.charAt(at);
  const shorthand = shorthands.get(sign);
  if (shorthand) return { test: shorthand, next: at + 1 };
  const code = /^[xu]([0-9a-fA-F]{2,4})/.exec(source.slice(at, at + (sign === 'x' ? 3 : 5)));
  const literal = code ? characterOf(code) : (controls.get(sign) ?? sign);
  // A letter that means nothing here may mean something elsewhere: better say so than find the wrong lines.
  const isUnknown = literal === sign && /^[A-Za-z0-9]?$/.test(sign);
  if (literal === undefined || isUnknown)
    throw badPattern(`\\${sign}, which is not known,`, at - 1);
  const next = at + (code ? code[0].length : 1);
  return { test: literalSign(literal, ignoreCase), literal, next };
}

function characterOf(code: RegExpExecArray): string | undefined {
  const [whole, digits = ''] = code;
  const isWhole = whole.length === (whole.startsWith('x') ? 3 : 5);
  return isWhole ? String.fromCharCode(parseInt(digits, 16)) : undefined;
}

/** Reads a class; `at` is the place after its `[`. */
export function readClass(source: string, at: number, ignoreCase: boolean): SignPiece {
  const isNegated = source.charAt(at) === '^';
  const tests: SignTest[] = [];
  let next = isNegated ? at + 1 : at;
  while (source.charAt(next) !== ']') {
    if (next >= source.length) throw badPattern('a [ without its ]', at - 1);
    const piece = readClassPart(source, next, ignoreCase);
    tests.push(piece.test);
    next = piece.next;
  }
  const isOne: SignTest = (sign) => tests.some((test) => test(sign));
  return { test: isNegated ? not(isOne) : isOne, next: next + 1 };
}

function readClassPart(source: string, at: number, ignoreCase: boolean): SignPiece {
  const first = readClassSign(source, at, ignoreCase);
  const isRange = source.charAt(first.next) === '-' && source.charAt(first.next + 1) !== ']';
  if (!isRange || first.literal === undefined) return first;
  const last = readClassSign(source, first.next + 1, ignoreCase);
  if (last.literal === undefined || last.literal < first.literal) {
    throw badPattern('a range that runs backwards', at);
  }
  return { test: rangeTest(first.literal, last.literal, ignoreCase), next: last.next };
}

function readClassSign(source: string, at: number, ignoreCase: boolean): SignPiece {
  const sign = source.charAt(at);
  if (sign === '\\') return readEscape(source, at + 1, ignoreCase);
  if (sign === '') throw badPattern('a [ without its ]', at - 1);
  return { test: literalSign(sign, ignoreCase), literal: sign, next: at + 1 };
}

function rangeTest(first: string, last: string, ignoreCase: boolean): SignTest {
  const isIn: SignTest = (sign) => sign >= first && sign <= last;
  return ignoreCase
    ? (sign) => isIn(sign) || isIn(upperOf(sign)) || isIn(sign.toLowerCase())
    : isIn;
}

/** Upper case, where that is one character as well. */
function upperOf(sign: string): string {
  const upper = sign.toUpperCase();
  return upper.length === 1 ? upper : sign;
}
