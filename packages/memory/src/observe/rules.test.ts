import { expect, test } from 'vitest';
import { rules } from './rules.ts';

async function read(text: string) {
  const { signal } = new AbortController();
  return rules().observe([{ sequence: 0, speaker: 'user', text }], { signal });
}

test.each([
  ['My name is Ada Lovelace.', 'identity', 'name', 'My name is Ada Lovelace'],
  ['I just moved to Berlin', 'identity', 'location', 'I just moved to Berlin'],
  ["I'm a backend engineer.", 'identity', 'role', "I'm a backend engineer"],
  ['My favourite editor is Helix', 'identity', 'favorite editor', 'My favourite editor is Helix'],
  ['I prefer tabs over spaces', 'preference', 'indentation', 'I prefer tabs over spaces'],
  ['Use pnpm, not npm', 'preference', 'package manager', 'Use pnpm, not npm'],
  ['We decided to use Postgres.', 'decision', 'database', 'We decided to use Postgres'],
  ['In CI we use npm', 'environment', 'package manager ci', 'In CI we use npm'],
  [
    'On Windows we use PowerShell',
    'environment',
    'use power shell window',
    'On Windows we use PowerShell',
  ],
  ['Actually no, the port is 9090', 'environment', 'port', 'the port is 9090'],
  [
    'Answer in English from now on.',
    'constraint',
    'answer english',
    'Answer in English from now on',
  ],
  ['I want you to always ask first', 'constraint', 'first', 'I want you to always ask first'],
  ['We use vitest here', 'environment', 'test runner', 'We use vitest here'],
  ['The staging port is 8080.', 'environment', 'staging port', 'The staging port is 8080'],
  ['Actually, the port is 9090', 'environment', 'port', 'the port is 9090'],
  ['The deadline is next Friday', 'event', 'deadline', 'The deadline is next Friday'],
  ['Please never push to main', 'constraint', 'main push', 'Please never push to main'],
  [
    'Remember that the demo user has no password',
    'environment',
    undefined,
    'the demo user has no password',
  ],
])('"%s" is a fact of the kind %s about %s', async (said, kind, attribute, text) => {
  const found = await read(said);
  expect(found.map((fact) => [fact.kind, fact.attribute, fact.text])).toEqual([
    [kind, attribute, text],
  ]);
});

test.each([
  'Should we always use pnpm?',
  'If the port is 8080, stop.',
  'What is my name?',
  'I like it',
  'I like Option C',
  "Let's go with option 1",
  'I moved to Full access',
  'Fix the login page.',
  "Don't worry about the tests",
  "Don't commit yet",
  'The port is not open',
  'My name is the same as before',
  'In this test we use a fake clock',
  'In case we use npm, stop',
  'In 2023 we used yarn',
  'In these files we use tabs',
  'We will do it from now on',
])('"%s" states nothing that lasts', async (said) => {
  expect(await read(said)).toEqual([]);
});

test('what must be done and what must not are about one matter', async () => {
  const [always] = await read('Always run the tests before a commit');
  const [never] = await read("Don't run the tests before a commit any more");
  expect(never?.attribute).toBe(always?.attribute);
});

test('a rule without always or never is kept for the session', async () => {
  expect(await read('Do not change src/7.ts')).toMatchObject([
    { scope: 'session', confidence: 0.7 },
  ]);
});

test('statements of two places, or joined by "but", are two facts', async () => {
  const places = await read('In the backend we use tabs and in the frontend we use spaces.');
  expect(places.map(({ attribute }) => attribute)).toEqual([
    'indentation backend',
    'indentation frontend',
  ]);
  const homes = await read('I live in Bern but I work for Acme.');
  expect(homes.map(({ attribute }) => attribute)).toEqual(['location', 'employer']);
});

test('two statements in one sentence are two facts', async () => {
  const found = await read('My name is Ada and I live in Bern.');
  expect(found.map(({ attribute }) => attribute)).toEqual(['name', 'location']);
});
