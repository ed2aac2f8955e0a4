import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anyConversation,
  assistant,
  call,
  longSession,
  quarter,
  result,
  step,
  user,
} from '../test-support/conversation.ts';
import { buildLedger } from './build-ledger.ts';
import { entriesOf } from './ledger.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const options = { countTokens: quarter };
const texts = (entries: readonly { readonly text: string }[]): string[] =>
  entries.map(({ text }) => text);

test('files, commands and errors are listed newest first with their pointers', () => {
  const pointers = new Map([['c1', 'ctx://outputs/o1']]);
  const ledger = buildLedger(
    [
      user('Go.'),
      ...step('c1', 'Read', { file_path: 'a.ts' }, 'x'),
      ...step('c2', 'Edit', { file_path: 'b.ts', new_string: 'y' }, 'ok'),
      ...step('c3', 'Bash', { command: 'npm test' }, 'Error: 2 tests failed\nexit code 1'),
    ],
    { ...options, pointers },
  );
  expect(texts(ledger.files)).toEqual(['changed b.ts', 'read a.ts → ctx://outputs/o1']);
  expect(texts(ledger.commands)).toEqual(['npm test (exit 1)']);
  expect(texts(ledger.errors)).toEqual(['Bash npm test: Error: 2 tests failed']);
  expect(ledger.errors[0]?.trust).toBe('untrusted');
});

test('only the parts that are asked for are looked for, and they are as in the whole ledger', () => {
  const messages = [
    user('Never touch vendor/. Go.'),
    ...step('c1', 'Read', { file_path: 'a.ts' }, 'x'),
    ...step('c3', 'Bash', { command: 'npm test' }, 'Error: 2 tests failed\nexit code 1'),
  ];
  const whole = buildLedger(messages, options);
  const part = buildLedger(messages, { ...options, parts: ['constraints', 'errors'] });
  expect(part.errors).toEqual(whole.errors);
  expect(part.constraints).toEqual(whole.constraints);
  expect(part.userTexts).toEqual(whole.userTexts);
  expect([whole.errors.length, whole.constraints.length]).toEqual([1, 1]);
  expect([part.files, part.commands, part.literals]).toEqual([[], [], []]);
});

test('an error goes when the same command succeeds later, also one of the ledger before', () => {
  const failed = step('c1', 'Bash', { command: 'make' }, 'fatal: no rule\nexit code 2');
  const mended = step('c2', 'Bash', { command: 'make' }, 'built\nexit code 0');
  expect(buildLedger([user('Go.'), ...failed, ...mended], options).errors).toEqual([]);
  const earlier = buildLedger([user('Go.'), ...failed], options);
  expect(earlier.errors).toHaveLength(1);
  expect(buildLedger(mended, { ...options, earlier }).errors).toEqual([]);
});

test('rules come from the user only, decisions from both, open tasks from the newest plan', () => {
  const plan = (status: string): ReturnType<typeof call> =>
    call('t', 'TodoWrite', {
      todos: [
        { content: 'Write the docs', status },
        { content: 'Ship', status: 'completed' },
      ],
    });
  const ledger = buildLedger(
    [
      user('Never touch the main branch.'),
      assistant('You must never use tabs. We decided to use SQLite.'),
      assistant(plan('pending')),
      user(result('t', 'ok')),
    ],
    options,
  );
  expect(texts(ledger.constraints)).toEqual(['Never touch the main branch.']);
  expect(texts(ledger.decisions)).toEqual(['We decided to use SQLite.']);
  expect(texts(ledger.tasks)).toEqual(['[pending] Write the docs']);
});

test('a name that a result brought and a later call used is kept', () => {
  const ledger = buildLedger(
    [
      user('Find it.'),
      ...step('c1', 'Bash', { command: 'ls' }, 'release_4711.tar\nother_file.txt'),
      ...step('c2', 'Bash', { command: 'tar xf release_4711.tar' }, 'ok'),
    ],
    options,
  );
  expect(texts(ledger.literals)).toContain('release_4711.tar');
  expect(texts(ledger.literals)).not.toContain('other_file.txt');
});

test('the user is carried newest first, the newest always whole, older ones shortened', () => {
  const long = (sign: string): string => `${sign} begins. ${`${sign} `.repeat(2000)}${sign} ends.`;
  const ledger = buildLedger([user(long('A')), user(long('B')), user(long('C'))], {
    ...options,
    carryTokens: 1100,
  });
  expect(ledger.userTexts.map(({ isShortened }) => isShortened)).toEqual([true, true, false]);
  expect(ledger.userTexts[2]?.text).toBe(long('C'));
  expect(ledger.userTexts[0]?.text.length).toBeLessThan(300);
});

test('whatever the conversation, entries stay within their budget, and each holds its key', () => {
  fc.assert(
    fc.property(anyConversation, anyConversation, fc.nat(800), (first, second, entryTokens) => {
      const earlier = buildLedger(first, { ...options, entryTokens });
      const ledger = buildLedger(second, { ...options, entryTokens, earlier });
      const tokens = entriesOf(ledger).reduce((sum, { text }) => sum + quarter(text) + 2, 0);
      expect(tokens).toBeLessThanOrEqual(entryTokens);
      for (const { key, text } of entriesOf(ledger)) {
        expect(text.includes(key)).toBe(true);
        expect(text).not.toContain('\n');
      }
    }),
    { numRuns: 150 * share },
  );
});

test('the ledger of a ledger keeps every entry while there is room', () => {
  const earlier = buildLedger([user('Always answer in French.'), ...longSession(3)], options);
  const later = buildLedger(longSession(2, 50), { ...options, earlier });
  expect(texts(later.constraints)).toContain('Always answer in French.');
  for (const { key } of earlier.files) {
    expect(later.files.map((entry) => entry.key)).toContain(key);
  }
});
