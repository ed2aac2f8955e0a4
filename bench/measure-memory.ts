/**
 * What a memory costs as its facts grow: adding one, the first recall of a process by words and by meaning, those that follow, and the
 * block for a prompt. Vectors have 384 dimensions and are made here: no model is asked.
 * Run: `npm run bench -- memory [--json] [--facts 1000,10000,100000]`. Takes a few minutes with 100,000 facts.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createMemory } from '@ctx/memory';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { seededRandom, zipfWords } from './retrieval/synthetic-outputs.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    facts: { type: 'string', default: '1000,10000,100000' },
  },
});

const dimensions = 384;
const queries = 50;
const together = 64;

/** Places a text by its characters: the same text always at the same place. */
async function embedder(texts: readonly string[]): Promise<Float32Array[]> {
  return texts.map((text) => {
    const random = seededRandom(Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) | 0, 7));
    return Float32Array.from({ length: dimensions }, () => random() - 0.5);
  });
}

interface MemoryReport {
  readonly facts: number;
  readonly megabytesOnDisk: number;
  readonly addMs: number;
  readonly firstByWordsMs: number;
  readonly byWordsMs: number;
  readonly firstByMeaningMs: number;
  readonly byMeaningMs: number;
  readonly heapMegabytes: number;
  readonly blockMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function middleOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < queries; at += 1) times.push(await timed(work));
  return times.sort((a, b) => a - b)[queries >> 1] ?? 0;
}

async function measure(facts: number, path: string): Promise<MemoryReport> {
  const words = zipfWords(20_000, seededRandom(1));
  const text = (count: number): string =>
    Array.from({ length: count }, () => words.next()).join(' ');
  const filled = await openStore(sqliteBackend({ path }));
  const filling = createMemory(filled, { embedder });
  const addMs = await timed(async () => {
    for (let at = 0; at < facts; at += together) {
      const some = Array.from({ length: Math.min(together, facts - at) }, () => text(12));
      await Promise.all(
        some.map((one) => filling.add({ text: one, kind: 'environment', source: 'bench' })),
      );
    }
  });
  await filled.close();
  const store = await openStore(sqliteBackend({ path }));
  const byWords = createMemory(store);
  const byMeaning = createMemory(store, { embedder });
  const firstByWordsMs = await timed(() => byWords.recall(text(5)));
  const byWordsMs = await middleOf(() => byWords.recall(text(5)));
  globalThis.gc?.();
  const before = process.memoryUsage();
  const firstByMeaningMs = await timed(() => byMeaning.recall(text(5)));
  globalThis.gc?.();
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  const byMeaningMs = await middleOf(() => byMeaning.recall(text(5)));
  const blockMs = await middleOf(() => byWords.block());
  await store.close();
  const short = (value: number): number => Math.round(value * 100) / 100;
  return {
    facts,
    megabytesOnDisk: short(statSync(path).size / 1e6),
    addMs: short(addMs / facts),
    firstByWordsMs: short(firstByWordsMs),
    byWordsMs: short(byWordsMs),
    firstByMeaningMs: short(firstByMeaningMs),
    byMeaningMs: short(byMeaningMs),
    heapMegabytes: short(grown / 1e6),
    blockMs: short(blockMs),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-memory-'));
try {
  const reports: MemoryReport[] = [];
  for (const count of values.facts.split(',')) {
    reports.push(await measure(Number(count), join(folder, `${count}.db`)));
  }
  if (values.json) console.log(JSON.stringify(reports, null, 2));
  else console.table(reports);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
