import { describe, expect, it } from 'vitest';
import { matchesFilter } from './item-filter.ts';
import { textsOfItem } from './item-text.ts';
import { namespacesUnder, namespaceText, pickNamespaces } from './namespaces.ts';

describe('a filter', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: { $in: [1, 2] } }, true],
    [{ a: 3 }, { a: { $nin: [1, 2] } }, true],
    [{ a: { $x: 1 } }, { a: { $x: 1 } }, true],
    [{ a: '10' }, { a: { $gt: '9' } }, true],
    [{ a: 'b' }, { a: { $gt: 3 } }, false],
    [{}, { a: { $lt: 3 } }, false],
    [{}, { constructor: Object }, false],
    [{ a: {} }, { a: {} }, true],
  ])('%j by %j is %j', (value, filter, expected) => {
    expect(matchesFilter(value, filter)).toBe(expected);
  });
});

describe('the texts of an item', () => {
  it('stand at paths, lists and places counted from the end included', () => {
    const value = {
      title: 't',
      parts: [{ text: 'one' }, { text: 'two', n: 2 }],
      deep: { is: true },
    };
    expect(textsOfItem(value, ['title', 'parts[*].text', 'deep.is', 'none.of.it'])).toEqual([
      ...['t', 'one', 'two', 'true'],
    ]);
    expect(textsOfItem(value, ['parts[-1].n', 'constructor'])).toEqual(['2']);
    expect(textsOfItem({ a: 1 })).toEqual(['{"a":1}']);
  });
});

describe('a namespace', () => {
  it('is read as a range that holds what is below it, and no other', () => {
    const { range } = namespacesUnder(['a', 'b']);
    const holds = (labels: string[]) => {
      const text = namespaceText(labels);
      return text >= String(range?.from) && text < String(range?.to);
    };
    expect(
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ].every(holds),
    ).toBe(true);
    expect([['a'], ['a', 'bb'], ['a', 'b ', 'c'], ['a', 'c']].some(holds)).toBe(false);
  });

  it('is matched by labels, and refused by an unknown kind of match', () => {
    const match = { matchType: 'middle', path: ['a'] };
    expect(() => pickNamespaces(['a:'], { matchConditions: [match] })).toThrow(/no match middle/);
  });
});
