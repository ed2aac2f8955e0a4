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
    'answer language',
    'Answer in English from now on',
  ],
  ['I want you to always ask first', 'constraint', 'first', 'I want you to always ask first'],
  ['We use vitest here', 'environment', 'test runner', 'We use vitest here'],
  ['And the port is 9090', 'environment', 'port', 'the port is 9090'],
  ['Also, we use vitest', 'environment', 'test runner', 'we use vitest'],
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

test.each([
  ["I'm Lena.", "I'm Lena"],
  ["Hi, I'm Lena and I live in Bern.", "I'm Lena"],
  ["I'm Ada Lovelace, nice to meet you", "I'm Ada Lovelace, nice to meet you"],
  ['I am Ian', 'I am Ian'],
  ["I'm Maria, the new designer", "I'm Maria, the new designer"],
  ["I'm called Bob", "I'm called Bob"],
])('"%s" tells a name', async (said, text) => {
  const [fact] = await read(said);
  expect([fact?.attribute, fact?.text]).toEqual(['name', text]);
});

test.each([
  ...[
    "I'm tired.",
    "I'm on it",
    "I'm Lena's colleague.",
    "I'm German",
    "I'm Swiss",
    "I'm Not sure",
  ],
  ...["I'm Building a thing", "I'm Scrum Master", "I'm Vim user", "I'm AFK", "I'm in Berlin"],
  ...["If I'm Bob, then stop", "Sam said I'm Bob", "I'm Done", 'I am Here', "I'm OK with it"],
])('"%s" tells no name', async (said) => {
  expect((await read(said)).filter(({ attribute }) => attribute === 'name')).toEqual([]);
});

test.each([
  [
    'The port is 443 in production and 3000 in development',
    [
      ['port product', 'The port is 443 in production'],
      ['port develop', 'The port is 3000 in development'],
    ],
  ],
  [
    'In production the port is 443, in development 3000.',
    [
      ['port product', 'the port is 443 in production'],
      ['port develop', 'the port is 3000 in development'],
    ],
  ],
  [
    'The port is 443, in development 3000.',
    [
      ['port', 'The port is 443'],
      ['port develop', 'The port is 3000 in development'],
    ],
  ],
  [
    'We use PostgreSQL in production and SQLite in tests.',
    [
      ['database product', 'We use PostgreSQL in production'],
      ['database test', 'We use SQLite in tests'],
    ],
  ],
  [
    'The staging port is 8080 and the production port is 80.',
    [
      ['staging port', 'The staging port is 8080'],
      ['production port', 'the production port is 80'],
    ],
  ],
  [
    'We use TypeScript and pnpm',
    [
      ['use script type', 'We use TypeScript'],
      ['package manager', 'We use pnpm'],
    ],
  ],
  [
    'Never push to main, and always run the linter first.',
    [
      ['main push', 'Never push to main'],
      ['first linter run', 'always run the linter first'],
    ],
  ],
])('"%s" states two facts', async (said, facts) => {
  const found = await read(said);
  const told = found.map(({ attribute, text }) => [attribute, text]);
  expect(told).toEqual(facts);
});

test.each([
  'We use PostgreSQL and SQLite.',
  'The port is 443 and it works',
  'The API should always answer and never block',
  'Never touch the docs and the tests',
  'We use tabs and trailing commas in YAML',
])('"%s" is not cut', async (said) => {
  for (const { text } of await read(said)) expect(text).toBe(said.replace(/\.$/, ''));
});

test.each([
  ['Our API is on port 3000', 'api port'],
  ["The API's port is 3000", 'api port'],
  ['The port of the API is 3000', 'api port'],
  ['The API listens on port 3000', 'api port'],
  ['Actually the API moved to port 9090.', 'api port'],
  ['Our web API uses port 3000 in staging', 'web api port stage'],
  ['I use Vim', 'editor'],
  ['I now use Zed instead of Vim', 'editor'],
  ['I use Emacs for notes', 'editor note'],
  ['I prefer Vim over Emacs', 'favorite editor'],
  ['My favourite text editor is Vim', 'favorite editor'],
  ['I switched back to bash', 'shell'],
  ['Please answer in German.', 'answer language'],
  ['Always reply in French, please.', 'answer language'],
  ["I'd like you to answer in simple English", 'answer language'],
  ["Don't answer in German any more", 'answer language'],
  ['Speak Spanish with me', 'answer language'],
  ["I'm vegetarian", 'diet'],
  ["I'm allergic to peanuts", 'allergic to peanut'],
  ['I speak French and German', 'speaks french german'],
  ['I was born on 3 May 1990', 'birthday'],
  ["My daughter's name is Mia", 'daughter called mia'],
  ['You can reach me at ada@example.com', 'email'],
  ['I started a new job at Initech', 'employer'],
  ['My manager Sam prefers spaces', 'manager Sam indentation'],
  ["Let's use vitest", 'test runner'],
  ['No emojis, please', 'emoji'],
  ["I can't eat gluten", 'eats gluten'],
  ["I'm 34 years old", 'age'],
  ["I'm from Sweden", 'origin'],
  ["I'm the CTO of Globex", 'role'],
  ['Green is my favorite color', 'favorite color'],
  ['I live in Bern, not in Basel.', 'location'],
  ['The project is called Falcon', 'project name'],
  ['Our tech lead is Priya', 'tech lead'],
  ['Priya is our tech lead', 'tech lead'],
  ['The admin panel is at https://admin.example.com', 'admin panel url'],
  ['Our database is Postgres 15 and it runs on port 5433', 'database'],
  ['The budget is $500', 'budget'],
  ['The launch was moved from May to June', 'launch'],
  ['The freeze starts on Friday', 'freeze'],
  ['The deadline for the report is Friday', 'report deadline'],
  ['We release every Monday', 'release on mondai'],
  ['Tabs, not spaces', 'indentation'],
  ['Only use double quotes', 'quotes'],
])('"%s" is a fact about %s', async (said, attribute) => {
  expect((await read(said)).map((fact) => fact.attribute)).toEqual([attribute]);
});

test.each([
  'Our error is on line 3000',
  'The bug is on port',
  'I use this function',
  'I use vim bindings in my shell',
  'I use React Query here and it fails',
  'I use Chrome to test it',
  'I switched to the other file',
  'The answer in German is wrong',
  'He answers in German',
  'Write the summary in German',
  'Please answer in German for now',
  'Can you answer in German?',
  'Please answer in order',
  'The port is 8080 but it should be 9090.',
  'The path is /tmp/foo in this example.',
  "Let's use a map",
  "Let's use npm for now",
  'No problem, please',
  'Only use the first file',
  'One file, not two',
  'The issue is at https://example.com/issues/5',
  'The owner is unknown',
  "I'm from the other team",
  "I can't eat this",
  'We release the lock',
  'My manager likes it',
  'I have two questions',
  "I'm allergic to that",
])('"%s" is of the moment and states nothing that lasts', async (said) => {
  expect(await read(said)).toEqual([]);
});

test.each([
  ['Merk dir: der Port ist 8080.', 'der Port ist 8080'],
  ['Bitte merk dir, dass der Port 8080 ist.', 'der Port 8080 ist'],
  ["N'oublie pas que le port est 8080", 'le port est 8080'],
  ['Recuerda que el puerto es 8080.', 'el puerto es 8080'],
  ['记住：生产环境的端口是443。', '生产环境的端口是443'],
  ['ポートは8080だと覚えておいて。', 'ポートは8080だと覚えておいて'],
])('"%s" is kept in its words', async (said, text) => {
  expect(await read(said)).toMatchObject([{ kind: 'environment', text }]);
});

test.each([
  ...['Ich heiße Lena.', 'Ich wohne in Berlin.', 'Bitte antworte auf Deutsch.', 'Merk dir das.'],
  ...[
    "Je m'appelle Claire et j'habite à Lyon.",
    'Je préfère les tabulations.',
    'Souviens-toi de ça',
  ],
  ...[
    'Me llamo Ana. Vivo en Madrid.',
    '私の名前は田中です。',
    '我叫李雷。我住在北京。',
    '你记住了吗？',
  ],
  ...[
    'In der CI nutzen wir npm',
    'Der Port ist 8080',
    'El port is 8080 ahora',
    'Die Version ist 3',
  ],
])('"%s" is not kept: its language is not read', async (said) => {
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

test.each([
  "Don't do that now",
  "Don't bother with the tests",
  "Don't commit this",
  "Don't commit that file",
  "Don't push it, I'll do it myself",
  "Don't run the tests, I'm running them already",
  "Don't write the code, just give me a plan",
  "Please don't start over",
  "Don't wait for me",
  "Don't tell me it's fixed again",
  "Don't open a PR for it",
  "Don't include the second option",
  'Please stop adding logs to this function',
  'Do not rebase now',
  'No need to run the tests again',
  'Never do that again',
  'Always the same error',
  'Never gonna happen',
])('"%s" is said once, and is no rule', async (said) => {
  expect(await read(said)).toEqual([]);
});

test.each([
  "Don't mention Claude in commits",
  "Don't use moment, it is deprecated",
  "Don't use lodash, we have no license for it",
  "Don't use classes in this project",
  "Don't wait for CI before you push",
  'Do not combine it with any other command',
  'Do not run any command that produces binary output',
  'From now on, do not squash',
  'Stop using enums',
  'You no longer need to run the tests',
  'Never do a release on Fridays',
])('"%s" is a rule', async (said) => {
  expect(await read(said)).toMatchObject([{ kind: 'constraint' }]);
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
