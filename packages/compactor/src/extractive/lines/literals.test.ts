import { expect, test } from 'vitest';
import { literalsOf } from './literals.ts';

const names = (line: string): string[] => literalsOf(line).map(({ text }) => text);

test('a path counts whole and by its parts, common words do not count', () => {
  expect(names('return from src/net/fetchPage.ts')).toEqual(
    ['src/net/fetchPage.ts', 'net', 'fetchPage'].filter((name) => name !== 'net'),
  );
});

test('numbers, addresses, constants and names in capitals count, single digits do not', () => {
  expect(names('MAX_RETRIES 17 of https://api.example/v2 by Ines, 4')).toEqual(
    ['MAX_RETRIES', '17', 'https://api.example/v2', 'https', 'api', 'example', 'v2', 'Ines'].filter(
      (name) => name !== 'api',
    ),
  );
});

test('each literal counts once a line, and a line of junk ends', () => {
  expect(names('fooBar fooBar fooBar')).toEqual(['fooBar']);
  expect(names('a.'.repeat(50_000)).length).toBeLessThanOrEqual(40);
});
