import { delimiter } from 'node:path';
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

test('a follow-up command is by npx if npx called, by its file if only npx knows where that is', () => {
  const byNpx = (...folders: string[]) => ({
    env: { npm_lifecycle_event: 'npx', PATH: folders.join(delimiter) },
  });
  expect(followUp(byNpx('/p/node_modules/.bin', '/usr/bin'), ['status'])).toBe('npx ctx status');
  const folder = '/home/u/.npm/_npx/1f/node_modules/.bin';
  expect(followUp(byNpx(folder, '/usr/bin'), ['status'])).toBe(`${folder}/ctx status`);
});

test('a follow-up command of a script of the user is by npx, which needs no script', () => {
  const env = { npm_package_name: 'mine', PATH: '/p/node_modules/.bin' };
  for (const event of ['start', 'agent']) {
    const host = { env: { ...env, npm_lifecycle_event: event } };
    expect(followUp(host, ['status'])).toBe('npx ctx status');
  }
});

test('a follow-up command of a checkout names it unless the user stands in it', () => {
  const env = { npm_lifecycle_event: 'ctx', npm_package_json: '/home/u/my ctx/package.json' };
  const from = (INIT_CWD: string) => followUp({ env: { ...env, INIT_CWD } }, ['status']);
  expect(from('/home/u/my ctx')).toBe('npm run ctx -- status');
  expect(from('/home/u/my ctx/docs')).toBe('npm run ctx -- status');
  expect(from('/home/u/project')).toBe("npm --prefix '/home/u/my ctx' run ctx -- status");
});
