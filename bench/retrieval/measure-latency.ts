import { createRelevanceIndex } from '@ctx/relevance';
import type { RelevanceIndex } from './retrieval-set.ts';
import { seededRandom, syntheticOutputs, type ZipfWords, zipfWords } from './synthetic-outputs.ts';

export interface LatencyReport {
  readonly outputs: number;
  /** Time within `add`, the making of the texts not counted. */
  readonly indexSeconds: number;
  /** What heap and array buffers grew by. More exact with `--expose-gc`. */
  readonly memoryMegabytes: number;
  readonly queries: readonly {
    readonly name: string;
    readonly p50: number;
    readonly p95: number;
  }[];
}

const vocabulary = 50_000;
const rounds = 101;

/** Index time, memory and query latency over seeded outputs of 500 words each. */
export function measureLatency(outputs: number): LatencyReport {
  const words = zipfWords(vocabulary, seededRandom(1));
  const before = heldMegabytes();
  const index = createRelevanceIndex();
  let indexMs = 0;
  for (const document of syntheticOutputs(outputs, words)) {
    const start = performance.now();
    index.add(document);
    indexMs += performance.now() - start;
  }
  const memoryMegabytes = heldMegabytes() - before;
  return {
    outputs,
    indexSeconds: indexMs / 1_000,
    memoryMegabytes,
    queries: latencies(index, words),
  };
}

function latencies(index: RelevanceIndex, words: ZipfWords): LatencyReport['queries'] {
  const random = seededRandom(2);
  const rank = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  const text = (count: number, word: () => string): string =>
    Array.from({ length: count }, word).join(' ');
  const kinds: readonly (readonly [string, () => string])[] = [
    ['5 words as in the texts', () => text(5, () => words.next())],
    ['20 words as in the texts', () => text(20, () => words.next())],
    ['4 rare words', () => text(4, () => words.word(rank(2_000, vocabulary)))],
    ['4 words of the 20 commonest', () => text(4, () => words.word(rank(0, 20)))],
  ];
  return kinds.map(([name, query]) => {
    const times = Array.from({ length: rounds }, () => {
      const asked = query();
      const start = performance.now();
      index.score({ text: asked }, { limit: 10 });
      return performance.now() - start;
    }).sort((a, b) => a - b);
    return { name, p50: times[50] ?? 0, p95: times[95] ?? 0 };
  });
}

function heldMegabytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
