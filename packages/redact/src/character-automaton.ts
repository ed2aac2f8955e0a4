import { readChunks } from '@ctx/core';

/** Tells which of many words a text may hold, in one pass. */
export interface SignAutomaton {
  /** The bits of all words that stand in the text, `|`-ed. Upper and lower case of ASCII are one. */
  readonly find: (text: string) => number;
}

/** Words as a tree: each state has its successors by sign, and the bits of the words that end with it. */
interface Tree {
  readonly children: Map<number, number>[];
  readonly bits: number[];
}

/** Where each sign leads from each state. */
interface Transitions {
  readonly next: Uint16Array;
  /** By state. */
  readonly bits: Uint32Array;
}

/** The same for one look-up a sign: a state stands where its row begins, and those with bits come last. */
interface Rows extends Transitions {
  /** The first row with bits. */
  readonly firstWithBits: number;
}

/** Room for the signs of a state, 2 to this power. */
const signBits = 6;
const signMask = 63;
const letterCase = 0x20;

/** The signs of the words get small numbers, in each case; 0 is every other byte. */
function numberSigns(words: Iterable<string>): Uint8Array {
  const numbers = new Uint8Array(256);
  let last = 0;
  for (const sign of new Set([...words].join('').toLowerCase())) {
    const code = sign.charCodeAt(0);
    last += 1;
    numbers[code] = last;
    if (/[a-z]/.test(sign)) numbers[code - letterCase] = last;
  }
  return numbers;
}

function addWord(tree: Tree, word: readonly number[], bits: number): void {
  let state = 0;
  for (const sign of word) {
    const children = tree.children[state];
    let next = children?.get(sign);
    if (next === undefined) {
      next = tree.children.push(new Map()) - 1;
      children?.set(sign, next);
    }
    state = next;
  }
  tree.bits[state] = (tree.bits[state] ?? 0) | bits;
}

/** Level by level: where a word does not go on, the longest beginning of another that fits does. Source: Aho and Corasick 1975. */
function transitionsOf({ children, bits: own }: Tree): Transitions {
  const next = new Uint16Array(children.length << signBits);
  const bits = Uint32Array.from({ length: children.length }, (_, state) => own[state] ?? 0);
  const fallbacks = new Uint16Array(children.length);
  const order = [0];
  for (const state of order) {
    const back = fallbacks[state] ?? 0;
    bits[state] = (bits[state] ?? 0) | (bits[back] ?? 0);
    if (state !== 0) next.copyWithin(state << signBits, back << signBits, (back + 1) << signBits);
    for (const [sign, child] of children[state] ?? []) {
      fallbacks[child] = state === 0 ? 0 : (next[(back << signBits) | sign] ?? 0);
      next[(state << signBits) | sign] = child;
      order.push(child);
    }
  }
  return { next, bits };
}

function rowsOf({ next, bits }: Transitions): Rows {
  const states = [...bits.keys()];
  const order = states.sort((left, right) => Number(bits[left] !== 0) - Number(bits[right] !== 0));
  const rows = new Uint16Array(order.length);
  for (const [place, state] of order.entries()) rows[state] = place << signBits;
  const moved = new Uint16Array(next.length);
  // A plain loop: a process that answers one hook runs it once, in code that is not optimised yet.
  for (let place = 0; place < next.length; place += 1) {
    const row = rows[place >> signBits] ?? 0;
    moved[row | (place & signMask)] = rows[next[place] ?? 0] ?? 0;
  }
  return {
    next: moved,
    bits: Uint32Array.from(order, (state) => bits[state] ?? 0),
    firstWithBits: order.findIndex((state) => bits[state] !== 0) << signBits,
  };
}

/** Up to so many characters are read as they are: to encode them would take longer. Source: measured. */
const shortText = 200;

/** The bits of all words that stand in a short text. */
function findInShort(
  { next, bits, firstWithBits }: Rows,
  numbers: Uint8Array,
  text: string,
): number {
  let [at, seen] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    // No word has a sign beyond ASCII, whose units have no number.
    at = next[at | (numbers[text.charCodeAt(index)] ?? 0)] ?? 0;
    if (at >= firstWithBits) seen |= bits[at >> signBits] ?? 0;
  }
  return seen;
}

/**
 * Makes an automaton of words in ASCII, each with its bits. The words have fewer than 64 signs, cases aside, and fewer than 1,024 letters
 * in all. Takes 128 bytes for each letter of the words; a search takes two look-ups for each byte of the text, whatever the words.
 */
export function signAutomaton(words: ReadonlyMap<string, number>): SignAutomaton {
  const numbers = numberSigns(words.keys());
  const tree: Tree = { children: [new Map<number, number>()], bits: [] };
  for (const [word, bits] of words) {
    const codes = Array.from(word, (sign) => numbers[sign.charCodeAt(0)] ?? 0);
    addWord(tree, codes, bits);
  }
  const rows = rowsOf(transitionsOf(tree));
  const { next, bits, firstWithBits } = rows;
  return {
    find: (text) => {
      if (text.length <= shortText) return findInShort(rows, numbers, text);
      let state = 0;
      let seen = 0;
      readChunks(text, ({ bytes }) => {
        const { length } = bytes;
        let [at, found] = [state, 0];
        for (let index = 0; index < length; index += 1) {
          at = next[at | (numbers[bytes[index] ?? 0] ?? 0)] ?? 0;
          if (at >= firstWithBits) found |= bits[at >> signBits] ?? 0;
        }
        state = at;
        seen |= found;
        return length;
      });
      return seen;
    },
  };
}
