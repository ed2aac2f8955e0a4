import { expect, it } from 'vitest';
import { comparedText } from './compared-text.ts';

const run = (id: string, end: string): string =>
  [`Chunk ID: ${id}`, 'Wall time: 0.1 seconds', 'Exit code: 0', 'Output:', 'Chunk ID', 'b'].join(
    end,
  );

it.each(['\n', '\r\n'])('leaves out what differs at each run, where lines end with %j', (end) => {
  const compared = comparedText(run('a1', end));
  expect(compared).toBe(comparedText(run('b2', end)));
  expect(compared.split('\n').map((line) => line.trim())).toEqual([
    'Exit code: 0',
    'Output:',
    'Chunk ID',
    'b',
  ]);
});
