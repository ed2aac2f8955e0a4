import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, collect, inChunks, quiet, textOf } from '../testing/text-source.ts';
import { jsonElements } from './json-elements.ts';
import type { JsonPiece } from './json-piece.ts';

const cut = (bytes: Uint8Array, size = 1_000, maxRecordBytes = 1_000_000): Promise<JsonPiece[]> => {
  const shouldEnter = (path: string, container: string): boolean =>
    path === '/messages' && container === 'array';
  return collect(jsonElements(inChunks(bytes, size), { ...quiet, maxRecordBytes, shouldEnter }));
};
const show = (pieces: readonly JsonPiece[]): string[] =>
  pieces.map((piece) =>
    piece.kind === 'element'
      ? `${piece.path}|${piece.key ?? ''}|${textOf(piece.bytes)}`
      : `${piece.kind} ${piece.path}`,
  );

describe('jsonElements', () => {
  it('enters the named list and takes all other values whole', async () => {
    const text = '{"a":{"messages":[1]},"messages":[{"x":"]}\\""}, 2],"b":null}';
    expect(show(await cut(bytesOf(text)))).toEqual([
      'enter ',
      '|a|{"messages":[1]}',
      'enter /messages',
      '/messages||{"x":"]}\\""}',
      '/messages||2',
      'leave /messages',
      '|b|null',
      'leave ',
    ]);
  });

  it('gives the range of each element in the input', async () => {
    const text = '\ufeff [ {"a":"é"},\n[1] ]';
    const bytes = bytesOf(text);
    const elements = (await cut(bytes)).filter((piece) => piece.kind === 'element');
    expect(
      elements.map(({ offset, length }) => textOf(bytes.subarray(offset, offset + length))),
    ).toEqual(['{"a":"é"}', '[1]']);
  });

  it('marks an element within which the input ends', async () => {
    const pieces = await cut(bytesOf('[{"a":1},{"b":"x'));
    expect(pieces.at(-1)).toMatchObject({ kind: 'element', isTorn: true, length: 7 });
  });

  it('marks what stands after the end of the document', async () => {
    const pieces = await cut(bytesOf('[1] {"a":2}'));
    expect(pieces.at(-1)).toMatchObject({ kind: 'element', isTrailing: true });
  });

  it('keeps nothing of an element over the cap but its range, and goes on after it', async () => {
    const pieces = await cut(bytesOf(`["${'x'.repeat(100)}",7]`), 9, 20);
    const elements = pieces.filter((piece) => piece.kind === 'element');
    expect(elements.map(({ isOverCap, length }) => [isOverCap, length])).toEqual([
      [true, 102],
      [false, 1],
    ]);
  });

  it('cuts any list into the texts of its elements, whatever the chunks', async () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(list, fc.integer({ min: 1, max: 9 }), async (value, size) => {
        const pieces = await cut(bytesOf(JSON.stringify(value)), size);
        const texts = pieces.flatMap((piece) => {
          return piece.kind === 'element' ? [textOf(piece.bytes)] : [];
        });
        expect(texts).toEqual(value.map((item) => JSON.stringify(item)));
      }),
    );
  });

  it('ends on any bytes and gives the same pieces whatever the chunks', async () => {
    const bytes = fc.uint8Array({ maxLength: 60 });
    const jsonLike = fc.stringMatching(/^[{}[\]",:a\\ 1]{0,40}$/).map(bytesOf);
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, jsonLike), async (value) => {
        expect(await cut(value, 1)).toEqual(await cut(value));
      }),
      { numRuns: 500 },
    );
  });
});
