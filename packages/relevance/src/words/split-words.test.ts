import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchWords, splitWords } from './split-words.ts';

describe('splitWords', () => {
  it('splits at path separators, snake_case, camelCase and digits', () => {
    expect(splitWords('src/toolOutput/read_back-v2.test.ts')).toEqual([
      'src',
      'tool',
      'output',
      'read',
      'back',
      'v',
      '2',
      'test',
      'ts',
    ]);
  });

  it('keeps an acronym together and gives its last letter to the word that follows', () => {
    expect(splitWords('XMLHttpRequest parseJSON HTTP2Server')).toEqual([
      'xml',
      'http',
      'request',
      'parse',
      'json',
      'http',
      '2',
      'server',
    ]);
  });

  it('takes accents off, whether composed or not', () => {
    expect(splitWords('Café CAFE\u0301 naïve')).toEqual(['cafe', 'cafe', 'naive']);
  });

  it('gives overlapping pairs where a script writes no spaces', () => {
    expect(splitWords('検索結果 木')).toEqual(['検索', '索結', '結果', '木']);
  });

  it('keeps Cyrillic, Greek and Arabic words whole', () => {
    expect(splitWords('Привет, Κόσμε! مرحبا')).toEqual(['привет', 'κοσμε', 'مرحبا']);
  });

  it('reads no more than maxCharacters', () => {
    expect(splitWords('alpha beta gamma', { maxCharacters: 8 })).toEqual(['alpha', 'be']);
  });

  it('cuts an endless word', () => {
    expect(splitWords('a'.repeat(5_000))).toEqual(['a'.repeat(40)]);
  });

  it('keeps a mark with its letter where a capital begins a word', () => {
    // Once this never came to an end.
    expect(splitWords('A\u0301b AB\u0301c')).toEqual(['ab', 'a', 'bc']);
  });

  it('takes a lone surrogate for a space', () => {
    expect(splitWords('one\ud800two\udc00')).toEqual(['one', 'two']);
  });
});

describe('searchWords', () => {
  it('leaves out stop words and single letters and cuts English endings', () => {
    expect(searchWords('Can you please fix the failing connections in x?')).toEqual([
      'fix',
      'fail',
      'connect',
    ]);
  });

  it('gives every word of a text as often as it stands there', () => {
    expect(searchWords('theme Theme themes')).toEqual(['theme', 'theme', 'theme']);
  });

  it('gives letters and digits only, in lower case, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const words = searchWords(text).join(' ');
        expect(words).toMatch(/^(?:[\p{L}\p{Nd}]+(?: |$))*$/u);
        expect(words).toBe(words.toLowerCase());
      }),
    );
  });

  it('gives the same words again for a second reading', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(searchWords(text)).toEqual(searchWords(text));
      }),
    );
  });

  it('looks at no character of a hostile text more than a few times', () => {
    for (const unit of [
      'a',
      'A',
      'aB',
      '\u0301',
      '漢',
      'A\u0301',
      'A\u0301b',
      '1a',
      '/',
      'İ',
      '\ud800',
    ]) {
      const looked = countLooks(unit.repeat(2_000));
      const lookedTwice = countLooks(unit.repeat(4_000));
      expect(lookedTwice).toBeLessThanOrEqual(2 * looked + 16);
    }
  });
});

describe('searchWords, each spelling once', () => {
  it('gives the words that it gives each time, and none a second time for the same letters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('tests', 'Test', 'a1', '東京', 'é', 'HTTPServer', '.')),
        (parts) => {
          const text = parts.join(' ');
          const once = searchWords(text, { isOnce: true });
          expect(new Set(once)).toEqual(new Set(searchWords(text)));
        },
      ),
    );
    expect(searchWords('Tests tests test tests Tests', { isOnce: true })).toHaveLength(3);
  });
});

/** How many characters the splitter asks of a text. */
function countLooks(text: string): number {
  let looks = 0;
  const watched = new Proxy(Object(text), {
    get: (target: object, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...rest: unknown[]): unknown => {
        if (name === 'charCodeAt' || name === 'codePointAt') looks++;
        if (name === 'slice') looks += Number(rest[1]) - Number(rest[0]);
        return Reflect.apply(value, text, rest);
      };
    },
  }) as string;
  splitWords(watched, { maxCharacters: text.length });
  expect(looks).toBeGreaterThan(0);
  return looks;
}
