import { expect, test } from 'vitest';
import { followUp, shellWord } from './follow-up.ts';

test('words with spaces and quotes are quoted for a shell, plain ones are not', () => {
  expect(shellWord('sqlite:/a/b.db')).toBe('sqlite:/a/b.db');
  expect(shellWord('sqlite:/my files/b.db')).toBe("'sqlite:/my files/b.db'");
  expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
  expect(shellWord('')).toBe("''");
});

test('a follow-up command is called as this one was', () => {
  expect(followUp({ env: {} }, ['read', 'a b'])).toBe("ctx read 'a b'");
  expect(followUp({ env: { npm_lifecycle_event: 'ctx' } }, ['read', 'a'])).toBe(
    'npm run ctx -- read a',
  );
  // `npm start` leaves no ctx on the PATH.
  expect(followUp({ env: { npm_lifecycle_event: 'start' } }, ['read', 'a'])).toBe(
    'npm run ctx -- read a',
  );
});
