import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFileTags } from './file-tags.ts';

const contents = (text: string): [string, string][] =>
  findFileTags(text, ['file_content', 'final_file_content']).map(({ path, start, end }) => [
    path,
    text.slice(start, end),
  ]);

describe('findFileTags', () => {
  it('finds several in one text, in order', () => {
    const text =
      'see <file_content path="a">A</file_content>, <final_file_content path="b">B</final_file_content> and <file_content path="c">C</file_content>';
    expect(contents(text)).toEqual([
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ]);
  });

  it('takes attributes in any order, further ones, either quote and line ends between them', () => {
    expect(contents(`<file_content lines="1-9"\n  path='a "b".ts' x="">A</file_content>`)).toEqual([
      ['a "b".ts', 'A'],
    ]);
  });

  it('takes any sign in a path', () => {
    expect(contents('<file_content path="a>b<c $& .ts">A</file_content>')).toEqual([
      ['a>b<c $& .ts', 'A'],
    ]);
  });

  it('takes tags inside of a content for content', () => {
    const text =
      '<final_file_content path="a"><file_content path="b">B</file_content></final_file_content>';
    expect(contents(text)).toEqual([['a', '<file_content path="b">B</file_content>']]);
  });

  it.each([
    '<file_content>A</file_content>',
    '<file_content path=a>A</file_content>',
    '<file_contents path="a">A</file_contents>',
    '<file_content path="a">A',
    '<file_content path="a',
    '<file_contentpath="a">A</file_content>',
    '<file_content',
    '',
  ])('passes over what is not well written: %s', (text) => {
    expect(contents(text)).toEqual([]);
  });

  it('finds a tag behind one that is not well written', () => {
    expect(contents('<file_content is <file_content path="a">A</file_content>')).toEqual([
      ['a', 'A'],
    ]);
  });

  it('finds the other kind behind one that is never closed', () => {
    const text = '<file_content path="a"> <final_file_content path="b">B</final_file_content>';
    expect(contents(text)).toEqual([['b', 'B']]);
  });

  it.each([
    ['opened and never closed', '<file_content path="a">'],
    ['without a path', '<file_content x="1">'],
    ['broken off in a value', '<file_content path="'],
    ['broken off in the name', '<file_content'],
    ['of many attributes', ' a="b"'],
  ])('gets through megabytes of tags %s', (_, piece) => {
    const text = `<file_content${piece.repeat(200_000)}`;
    expect(findFileTags(text, ['file_content', 'final_file_content'])).toEqual([]);
  });

  it('gives spans that are in order, apart and between tags, whatever the text', () => {
    const piece = fc.constantFrom(
      '<file_content path="a">',
      '</file_content>',
      "<final_file_content x='1' path='b'>",
      '</final_file_content>',
      '<file_content ',
      'path="',
      '>',
      'words',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let at = 0;
        for (const { name, start, end } of findFileTags(text, [
          'file_content',
          'final_file_content',
        ])) {
          expect(start).toBeGreaterThan(at);
          expect(text[start - 1]).toBe('>');
          expect(text.startsWith(`</${name}>`, end)).toBe(true);
          at = end;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
