import { expect, test } from 'vitest';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { missingEntries, missingTexts } from './missing-entries.ts';

const entry = (key: string): LedgerEntry => ({ key, text: key, trust: 'trusted' });

function missingKeys(text: string, ...keys: readonly string[]): string[] {
  const none: readonly LedgerEntry[] = [];
  const lists = { decisions: none, tasks: none, files: none, commands: none, errors: none };
  const ledger: Ledger = {
    ...{ ...lists, literals: none, userTexts: [], leftOut: 0 },
    constraints: keys.map(entry),
  };
  return missingEntries(text, ledger).map(({ key }) => key);
}

test('an entry stands there if only its white space differs', () => {
  const text = 'Never push\n\tto  main.';
  expect(missingKeys(text, 'push to main', 'Never  push to\nmain.')).toEqual([]);
});

test('words that run together are not the words of an entry', () => {
  expect(missingKeys('pushto main', 'push to main')).toEqual(['push to main']);
  expect(missingKeys('push to main', 'pushto main')).toEqual(['pushto main']);
});

test('an entry with three angle brackets stands there as it is, or as quotes hold it', () => {
  const [key, escaped] = ['see <<<data', 'see <\\<<data'];
  expect(missingKeys(`They said: ${key}.`, key)).toEqual([]);
  expect(missingKeys(`They said: ${escaped}.`, key)).toEqual([]);
  expect(missingKeys('They said: see data.', key)).toEqual([key]);
});

test('a text that is wanted twice is missing once, and an empty one never', () => {
  expect(missingTexts('Only this.', ['a fact', '', ' \n', 'a fact', 'this'])).toEqual(['a fact']);
});
