import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { heapFlags } from './small-heap.ts';

/** Holds so many objects while others come and go, as a proxy does. Tells the largest room of young objects, and of all, in MB. */
const program = `
const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');
for (const flag of process.argv.slice(1)) setFlagsFromString(flag);
const held = new Array(200_000).fill(undefined);
const most = { young: 0, all: 0 };
for (let count = 0; count < 3_000_000; count += 1) {
  held[count % held.length] = { count, next: [count] };
  if (count % 20_000 !== 0) continue;
  const spaces = getHeapSpaceStatistics().map(({ space_name, space_size }) => [space_name, space_size / 2 ** 20]);
  most.young = Math.max(most.young, Object.fromEntries(spaces).new_space);
  most.all = Math.max(most.all, spaces.reduce((sum, [, size]) => sum + size, 0));
}
process.stdout.write(JSON.stringify(most));`;

interface HeapRoom {
  readonly young: number;
  readonly all: number;
}

function roomOfHeap(flags: readonly string[]): HeapRoom {
  const told = execFileSync(process.execPath, ['-e', program, '--', ...flags], {
    encoding: 'utf8',
  });
  return JSON.parse(told) as HeapRoom;
}

it('what V8 is told while it runs keeps the heap near what is held, and lets it grow again', () => {
  const small = roomOfHeap(heapFlags.small);
  const usual = roomOfHeap([...heapFlags.small, ...heapFlags.usual]);
  // From Node 24 on room that many objects outlive grows all the same, and that of a proxy does not.
  const isOlder = Number.parseInt(process.versions.node, 10) < 24;
  expect(small.young).toBeLessThanOrEqual(isOlder ? 2 : usual.young);
  expect(usual.young).toBeGreaterThan(8);
  expect(small.all).toBeLessThan(usual.all / 2);
});
