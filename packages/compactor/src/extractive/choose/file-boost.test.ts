import { expect, test } from 'vitest';
import { fileBoosts } from './file-boost.ts';

test('lines of the file that is worked on most count most, those of a command as they are', () => {
  const corpus = { names: ['a.ts', 'b.ts'], values: Float64Array.of(2, 1) };
  const boosts = fileBoosts(corpus, ['/x/a.ts', 'b.ts', '/x/c.ts', '$ cat a.ts']);
  expect(Object.fromEntries(boosts)).toEqual({
    ...{ '/x/a.ts': 1.5, 'b.ts': 1.25, '/x/c.ts': 1, '$ cat a.ts': 1 },
  });
  expect(fileBoosts(corpus, []).size).toBe(0);
});
