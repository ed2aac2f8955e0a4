import {
  badPattern,
  literalSign,
  readClass,
  readEscape,
  type SignTest,
} from './pattern-characters.ts';

/** Where in a line a place must be. */
export type Place = 'start' | 'end' | 'word-edge' | 'no-word-edge';

/** A pattern as a tree. */
export type PatternNode =
  | { readonly type: 'sign'; readonly test: SignTest }
  | { readonly type: 'place'; readonly place: Place }
  | { readonly type: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly type: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
    };

/** Longest pattern, characters. */
const maxSource = 500;
/** Most copies that `{n,m}` may ask for. */
const maxRepeat = 1_000;

interface Parsing {
  readonly source: string;
  readonly ignoreCase: boolean;
  at: number;
}

/**
 * Reads a regular expression of the linear subset.
 * @throws `CTX_INVALID_INPUT`, with the place.
 */
export function parsePattern(source: string, ignoreCase: boolean): PatternNode {
  if (source.length > maxSource)
    throw badPattern(`more than ${String(maxSource)} characters`, maxSource);
  const parsing: Parsing = { source, ignoreCase, at: 0 };
  const node = parseChoice(parsing);
  if (parsing.at < source.length) throw badPattern('a ) without its (', parsing.at);
  return node;
}

function parseChoice(parsing: Parsing): PatternNode {
  const options = [parseSequence(parsing)];
  while (parsing.source.charAt(parsing.at) === '|') {
    parsing.at += 1;
    options.push(parseSequence(parsing));
  }
  const [only, ...more] = options;
  return only && more.length === 0 ? only : { type: 'choice', options };
}

function parseSequence(parsing: Parsing): PatternNode {
  const items: PatternNode[] = [];
  while (parsing.at < parsing.source.length && !/[|)]/.test(parsing.source.charAt(parsing.at))) {
    items.push(parseRepeat(parsing));
  }
  return { type: 'sequence', items };
}

function parseRepeat(parsing: Parsing): PatternNode {
  const item = parseAtom(parsing);
  const range = readRange(parsing);
  if (!range) return item;
  if (item.type === 'place') throw badPattern('a repeated place', parsing.at - 1);
  // Lazy or not makes no difference to whether a line matches.
  if (parsing.source.charAt(parsing.at) === '?') parsing.at += 1;
  if (readRange({ ...parsing })) throw badPattern('a repetition of a repetition', parsing.at);
  return { type: 'repeat', item, ...range };
}

const marks: ReadonlyMap<string, { min: number; max: number }> = new Map([
  ['*', { min: 0, max: Number.POSITIVE_INFINITY }],
  ['+', { min: 1, max: Number.POSITIVE_INFINITY }],
  ['?', { min: 0, max: 1 }],
]);

function readRange(parsing: Parsing): { min: number; max: number } | undefined {
  const mark = marks.get(parsing.source.charAt(parsing.at));
  if (mark) {
    parsing.at += 1;
    return mark;
  }
  const text = parsing.source.slice(parsing.at, parsing.at + 24);
  const counted = /^\{(\d{1,9})(?:,(\d{0,9}))?\}/.exec(text);
  if (!counted) return undefined;
  const [whole, low, high] = counted;
  const min = Number(low);
  const max = high === undefined ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high);
  const highest = Number.isFinite(max) ? max : min;
  if (max < min || highest > maxRepeat) throw badPattern('an impossible repetition', parsing.at);
  parsing.at += whole.length;
  return { min, max };
}

function parseAtom(parsing: Parsing): PatternNode {
  const { source, ignoreCase } = parsing;
  const sign = source.charAt(parsing.at);
  if (/[*+?]/.test(sign)) throw badPattern('nothing to repeat', parsing.at);
  parsing.at += 1;
  if (sign === '(') return parseGroup(parsing);
  if (sign === '\\') return parseEscape(parsing);
  if (sign === '^') return { type: 'place', place: 'start' };
  if (sign === '$') return { type: 'place', place: 'end' };
  if (sign === '.') return { type: 'sign', test: (one) => !/[\n\r\u2028\u2029]/.test(one) };
  if (sign !== '[') return { type: 'sign', test: literalSign(sign, ignoreCase) };
  const { test, next } = readClass(source, parsing.at, ignoreCase);
  parsing.at = next;
  return { type: 'sign', test };
}

function parseGroup(parsing: Parsing): PatternNode {
  const opened = parsing.at - 1;
  const head = /^\?(?::|<[A-Za-z_]\w{0,40}>)/.exec(
    parsing.source.slice(parsing.at, parsing.at + 50),
  );
  if (head) parsing.at += head[0].length;
  else if (parsing.source.charAt(parsing.at) === '?')
    throw badPattern('a look ahead or behind', opened);
  const node = parseChoice(parsing);
  if (parsing.source.charAt(parsing.at) !== ')') throw badPattern('a ( without its )', opened);
  parsing.at += 1;
  return node;
}

function parseEscape(parsing: Parsing): PatternNode {
  const sign = parsing.source.charAt(parsing.at);
  if (sign === 'b' || sign === 'B') {
    parsing.at += 1;
    return { type: 'place', place: sign === 'b' ? 'word-edge' : 'no-word-edge' };
  }
  if (/[1-9k]/.test(sign)) throw badPattern('a reference back', parsing.at - 1);
  const { test, next } = readEscape(parsing.source, parsing.at, parsing.ignoreCase);
  parsing.at = next;
  return { type: 'sign', test };
}
