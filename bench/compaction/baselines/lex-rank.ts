import { searchWords } from '@ctx/relevance';
import { textOfHistory } from '../text-of-history.ts';
import { type Baseline, linesThatFit } from './baseline.ts';

/** Lines that are compared at most; of a longer text an even sample. */
const maxLines = 4000;
/** Least cosine that makes two lines neighbours. Source: Erkan and Radev 2004. */
const threshold = 0.1;
/** Words that stand in more lines than this make no neighbours: they would join all with all. */
const maxPostings = 300;
const damping = 0.85;
const rounds = 15;

/** Continuous LexRank: lines rank by how similar they are to lines that rank high. */
export const lexRank: Baseline = {
  name: 'LexRank',
  shorten: (history, options) => {
    const all = [...new Set(textOfHistory(history).split('\n'))].filter(
      (line) => line.trim() !== '',
    );
    const step = Math.max(1, all.length / maxLines);
    const lines = Array.from(
      { length: Math.min(all.length, maxLines) },
      (_, index) => all[Math.floor(index * step)] ?? '',
    );
    const scores = rank(lines);
    const best = lines
      .map((line, index) => ({ line, score: scores[index] ?? 0, index }))
      .sort((a, b) => b.score - a.score || a.index - b.index);
    return linesThatFit(
      best.map(({ line }) => line),
      options,
    ).join('\n');
  },
};

type Vector = ReadonlyMap<string, number>;

function rank(lines: readonly string[]): Float64Array {
  const neighbours = neighboursOf(vectorsOf(lines));
  const sums = neighbours.map((row) => [...row.values()].reduce((sum, weight) => sum + weight, 0));
  let scores = new Float64Array(lines.length).fill(1 / lines.length);
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(lines.length).fill((1 - damping) / lines.length);
    neighbours.forEach((row, from) => {
      const share = (damping * (scores[from] ?? 0)) / Math.max(1e-12, sums[from] ?? 0);
      for (const [to, weight] of row) next[to] = (next[to] ?? 0) + share * weight;
    });
    scores = next;
  }
  return scores;
}

function vectorsOf(lines: readonly string[]): Vector[] {
  const words = lines.map((line) => searchWords(line, { maxCharacters: 400 }));
  const counts = new Map<string, number>();
  for (const list of words)
    for (const word of new Set(list)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.map((list) => {
    const vector = new Map<string, number>();
    for (const word of list) {
      vector.set(word, (vector.get(word) ?? 0) + Math.log(lines.length / (counts.get(word) ?? 1)));
    }
    const length = Math.hypot(...vector.values()) || 1;
    return new Map(Array.from(vector, ([word, weight]) => [word, weight / length]));
  });
}

function neighboursOf(vectors: readonly Vector[]): Map<number, number>[] {
  const postings = new Map<string, { readonly line: number; readonly weight: number }[]>();
  vectors.forEach((vector, line) => {
    for (const [word, weight] of vector) {
      const list = postings.get(word) ?? [];
      list.push({ line, weight });
      postings.set(word, list);
    }
  });
  return vectors.map((vector) => {
    const row = new Map<number, number>();
    for (const [word, weight] of vector) {
      const list = postings.get(word) ?? [];
      if (list.length > maxPostings) continue;
      for (const other of list)
        row.set(other.line, (row.get(other.line) ?? 0) + weight * other.weight);
    }
    return new Map([...row].filter(([, cosine]) => cosine >= threshold));
  });
}
