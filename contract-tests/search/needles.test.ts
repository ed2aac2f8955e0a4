import { expect, test } from 'vitest';
import { waysToTry } from '../ways-to-try.ts';
import { openSearched, searchedStores } from './searched-stores.ts';

const needles = 24;
const lines = 12_000;

/** Letters alone, so that no needle is split, and none begins another. */
function needleOf(number: number): string {
  return `qzx${String.fromCharCode(97 + number).repeat(3)}vk`;
}

function lineOfNeedle(number: number): number {
  return Math.floor(((number + 0.5) * lines) / needles);
}

/** A log of some 850 KB with a rare word every 500 lines. */
function log(): string {
  const needleAt = new Map(
    Array.from({ length: needles }, (_, number) => [lineOfNeedle(number), needleOf(number)]),
  );
  return Array.from({ length: lines }, (_, at) => {
    const needle = needleAt.get(at + 1) ?? '';
    return `2026-11-24T04:${at % 60} worker ${at % 9} took request ${at} off the queue and went on ${needle}`;
  }).join('\n');
}

test.each(waysToTry(searchedStores))(
  'every rare word of a log of 850 KB is found in %s, with its line',
  async (name) => {
    const store = await openSearched(name);
    const result = log();
    expect(result.length).toBeGreaterThan(750_000);
    const { pointer } = await store.outputs.save({
      sessionId: 's',
      toolName: 'Bash',
      args: { command: 'cat log' },
      result,
    });
    await store.outputs.save({
      sessionId: 's',
      toolName: 'Bash',
      args: {},
      result: 'nothing here',
    });
    for (let number = 0; number < needles; number += 1) {
      const hits = (await store.outputs.search({ text: needleOf(number), lines: true })).hits;
      const found = hits.map((hit) => [hit.pointer.id, hit.line?.of, hit.line?.line]);
      expect(found).toEqual([[pointer.id, 'result', lineOfNeedle(number)]]);
    }
  },
  60_000,
);
