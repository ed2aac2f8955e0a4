import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, collect, inChunks, quiet, textOf } from '../testing/text-source.ts';
import { splitLines } from './split-lines.ts';

const linesOf = async (text: string, size = 1_000): Promise<[string, number, boolean][]> => {
  const lines = await collect(splitLines(inChunks(bytesOf(text), size), quiet));
  return lines.map(({ bytes, offset, isTail }) => [textOf(bytes), offset, isTail]);
};

describe('splitLines', () => {
  it('gives each line with its offset and marks a last line without an end', async () => {
    expect(await linesOf('a\nbb\nc')).toEqual([
      ['a', 0, false],
      ['bb', 2, false],
      ['c', 5, true],
    ]);
  });

  it('takes off a byte order mark, carriage returns, blanks and NUL padding', async () => {
    expect(await linesOf('\ufeff{}\r\n\r\n  x\0\0\n\0\0')).toEqual([
      ['{}', 3, false],
      ['x', 11, false],
    ]);
  });

  it('keeps nothing of a line over the cap but its range', async () => {
    const input = bytesOf(`a\n${'x'.repeat(50)}\nb\n`);
    const held: number[] = [];
    const options = { ...quiet, maxRecordBytes: 10, buffered: (bytes: number) => held.push(bytes) };
    const lines = await collect(splitLines(inChunks(input, 4), options));
    expect(lines.map(({ offset, length, isOverCap }) => [offset, length, isOverCap])).toEqual([
      [0, 1, false],
      [2, 50, true],
      [53, 1, false],
    ]);
    expect(lines[1]?.bytes).toHaveLength(0);
    expect(Math.max(...held)).toBeLessThanOrEqual(10);
  });

  it('gives the same lines however the bytes are cut into chunks', async () => {
    const text = fc.stringMatching(/^[a\n\r\0 é]{0,40}$/);
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (value, size) => {
        expect(await linesOf(value, size)).toEqual(await linesOf(value));
      }),
    );
  });
});
