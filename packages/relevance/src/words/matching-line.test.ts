import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MatchingLineOptions } from './matching-line.ts';
import { searchTerms } from './search-terms.ts';
import { eachSearchWord, searchWords } from './split-words.ts';

const matchingLine = (text: string, query: string, options?: MatchingLineOptions) =>
  searchTerms(query).lineIn(text, options);

describe('the matching line', () => {
  it('shows the line in which a quoted phrase stands, not an earlier one with its words', () => {
    const text = 'refused: the connection\nnothing\n  the connection refused to open';
    expect(matchingLine(text, '"connection refused"')).toEqual({
      line: 3,
      text: 'the connection refused to open',
      marks: [
        [4, 14],
        [15, 22],
      ],
    });
    expect(matchingLine(text, 'connection refused')?.line).toBe(1);
    expect(matchingLine('x\nrefused connection', '"connection refused"')?.line).toBe(2);
  });

  it('gives the line with the most words of the query, by number, and where they stand', () => {
    const text = 'server starts\n  connection to server refused, retrying\nserver refused';
    expect(matchingLine(text, 'Why was the connection refused?')).toEqual({
      line: 2,
      text: 'connection to server refused, retrying',
      marks: [
        [0, 10],
        [21, 28],
      ],
    });
  });

  it('puts a rare word before a frequent one, and the first of equals first', () => {
    const text = 'error one\nerror two\ntimeout three\nerror four\ntimeout five';
    expect(matchingLine(text, 'error timeout')?.line).toBe(3);
    expect(matchingLine(text, 'error')?.line).toBe(1);
  });

  it('matches words as the search does, by their stems', () => {
    expect(matchingLine('nothing\nConnectionRefused', 'connections refusing')).toEqual({
      line: 2,
      text: 'ConnectionRefused',
      marks: [[0, 17]],
    });
  });

  it('gives nothing where no word stands, and where the query has none', () => {
    expect(matchingLine('a text', 'other')).toBeUndefined();
    expect(matchingLine('the text', 'the')).toBeUndefined();
    expect(matchingLine('', 'text')).toBeUndefined();
  });

  it('cuts a window out of a long line, around the words that stand together', () => {
    const line = `${'filler '.repeat(50)}port ${'filler '.repeat(50)}port is taken ${'x '.repeat(90)}`;
    const found = matchingLine(line, 'port taken', { maxCharacters: 60 });
    expect(found?.text).toMatch(/^….*port is taken.*…$/);
    expect(found?.text.length).toBeLessThanOrEqual(60);
    expect(found?.marks.map(([start, end]) => found.text.slice(start, end))).toEqual([
      'port',
      'taken',
    ]);
  });

  it('marks ideographs that the query names, and cuts no sign in halves', () => {
    expect(matchingLine('連接被拒絕\n接口', '拒絕')).toMatchObject({ line: 1, marks: [[3, 5]] });
    const found = matchingLine(`${'😀'.repeat(200)} word ${'😀'.repeat(200)}`, 'word');
    expect(found?.text).not.toMatch(/\p{Surrogate}/u);
    expect(found?.text.length).toBeLessThanOrEqual(160);
  });

  it('finds a line wherever the text holds a word of the query, never too long, with marks that are such words', () => {
    const piece = fc.constantFrom(
      'port',
      'Ports',
      'taken',
      '連接',
      '😀',
      ' ',
      '\n',
      '\t',
      'the',
      '…',
    );
    const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('port', 'taken 連接', 'absent'), (body, query) => {
        const wanted = new Set(searchWords(query));
        const found = matchingLine(body, query, { maxCharacters: 60 });
        expect(found !== undefined).toBe(searchWords(body).some((word) => wanted.has(word)));
        if (found === undefined) return;
        expect(found.text.length).toBeLessThanOrEqual(60);
        expect(body.split('\n')[found.line - 1]).toContain(found.text.replaceAll(/^…|…$/g, ''));
        expect(found.marks.length).toBeGreaterThan(0);
        for (const [start, end] of found.marks) {
          const marked = searchWords(found.text.slice(start, end));
          expect(marked.some((word) => wanted.has(word))).toBe(true);
        }
      }),
    );
  });
});

describe('eachSearchWord', () => {
  it('visits the words of searchWords in their order, with places that hold them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), (text) => {
        const words: string[] = [];
        eachSearchWord(text, {}, ({ word, start, end }) => {
          words.push(word);
          expect(searchWords(text.slice(start, end))).toEqual([word]);
          return true;
        });
        expect(words).toEqual(searchWords(text));
      }),
    );
  });

  it('stops when told to', () => {
    let visits = 0;
    eachSearchWord('one two three', {}, () => {
      visits++;
      return false;
    });
    expect(visits).toBe(1);
  });
});
