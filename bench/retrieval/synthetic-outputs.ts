import type { RelevanceDocument } from './retrieval-set.ts';

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Words drawn by Zipf's law from a made-up vocabulary: the word of rank r about r times rarer than the first. */
export interface ZipfWords {
  next(): string;
  /** The word of a rank, from 0. */
  word(rank: number): string;
}

/** A seeded stream of words. */
export function zipfWords(vocabulary: number, random: () => number): ZipfWords {
  const cumulative = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank++) {
    sum += 1 / (rank + 1);
    cumulative[rank] = sum;
  }
  const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank));
  const word = (rank: number): string => words[rank] ?? '';
  return { word, next: () => word(firstAtLeast(cumulative, random() * sum)) };
}

/** Outputs of 500 words over 2,000 files; every third is a read, every tenth an edit. */
export function* syntheticOutputs(count: number, words: ZipfWords): Generator<RelevanceDocument> {
  for (let sequence = 0; sequence < count; sequence++) {
    const path = `src/${words.word((sequence * 7) % 400)}/${words.word((sequence * 13) % 2_000)}.ts`;
    const body = Array.from({ length: 500 }, () => words.next()).join(' ');
    const base = {
      id: `output-${sequence}`,
      args: path,
      body,
      sequence,
      turn: Math.floor(sequence / 10),
    };
    if (sequence % 3 === 0) yield { ...base, path, access: 'read', isFileRead: true };
    else if (sequence % 10 === 1) yield { ...base, path, access: 'edit' };
    else yield base;
  }
}

function firstAtLeast(cumulative: Float64Array, target: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A pronounceable word for each number, none of them English. */
function wordOf(rank: number): string {
  const consonants = 'bdfgklmnprtvz';
  const vowels = 'aiou';
  let word = '';
  for (let rest = rank + 700; rest > 0; rest = Math.floor(rest / 52)) {
    const syllable = rest % 52;
    word += `${consonants[Math.floor(syllable / 4)] ?? ''}${vowels[syllable % 4] ?? ''}`;
  }
  return word;
}
