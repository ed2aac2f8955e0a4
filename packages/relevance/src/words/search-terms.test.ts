import { describe, expect, it } from 'vitest';
import { searchTerms } from './search-terms.ts';

const find = (query: string, text: string) =>
  searchTerms(query).phrases.map((phrase) => phrase.find(text));

describe('searchTerms', () => {
  it('takes each word once, those in quotes as well', () => {
    const { words, phrases } = searchTerms('login "connection refused" the connection');
    expect(words).toEqual(['login', 'connect', 'refus']);
    expect(phrases).toHaveLength(1);
  });

  it.each([
    ['"connection refused"', 'dial: Connection Refused', 6, 24],
    ['"connection refused"', 'connection reset\nconnection\n  refused', 17, 37],
    ['“connection refused”', 'connection refused', 0, 18],
    ['"ECONNREFUSED 127.0.0.1:80"', 'error ECONNREFUSED 127.0.0.1:80!', 6, 31],
    ['"to be"', 'not to be', 4, 9],
  ])('finds %s in %j', (query, text, start, end) => {
    expect(find(query, text)).toEqual([{ start, end }]);
  });

  it.each([
    ['"connection refused"', 'refused connection'],
    ['"connection refused"', 'connection was refused'],
    ['"connection refused"', 'connectionrefused'],
    ['"log in"', 'catalog in'],
    ['"log in"', 'log into'],
  ])('does not find %s in %j', (query, text) => {
    expect(find(query, text)).toEqual([undefined]);
  });

  it('takes a quote that is not closed, and an empty one, for no phrase', () => {
    for (const query of ['say "connection refused', '"" login', '" "']) {
      expect(searchTerms(query).phrases).toEqual([]);
    }
  });

  it('looks through a megabyte of repeated beginnings in one pass', () => {
    const text = `${'a '.repeat(500_000)}b`;
    expect(find('"a a a b"', text)).toEqual([{ start: 999_994, end: 1_000_001 }]);
  });
});
