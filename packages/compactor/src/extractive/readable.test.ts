import type { Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { assistant, call, quarter, step, user } from '../test-support/conversation.ts';
import { findMisleading } from '../test-support/find-misleading.ts';
import { extractSummary } from './extract-summary.ts';

function sectionOf(messages: readonly Message[], title: string): string[] {
  const options = { maxTokens: 4000, countTokens: quarter, mark: 'k3J9xQa81zLm' };
  const lines = extractSummary(messages, options).split('\n');
  const start = lines.indexOf(title);
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => /^(?:#{2,3} |<<<data )/.test(line));
  return end === -1 ? after : after.slice(0, end);
}

const rules = '## Constraints and preferences';

test('what the user said stands in the order in which they said it, once, and not again if it is the goal', () => {
  const messages = [
    user('Port the theme.'),
    assistant('Which color?'),
    user('The accent must be #8abeb7. Never touch vendor/.'),
    assistant('Done.'),
    user('No, the accent must be #b5bd68.'),
    assistant('Done.'),
    user('Now build it and show me the page.'),
  ];
  expect(sectionOf(messages, rules)).toEqual([
    'The accent must be #8abeb7. Never touch vendor/.',
    'No, the accent must be #b5bd68.',
  ]);
});

test('constraints hold what still holds; what was asked, told or taken back since was said by the user', () => {
  const messages = [
    user('Port the theme.'),
    assistant('Done.'),
    user('Write some code in markdown in chat'),
    assistant('Here.'),
    user('Use tabs.\nNever touch vendor/.\nThe accent is #8abeb7.'),
    assistant('Done.'),
    user("I don't think the footer updates. Don't commit yet."),
    assistant('Mended.'),
    user('Actually, use spaces instead of tabs.\nCommit it.'),
    assistant('Done.'),
    user('Now build it and show me the page.'),
  ];
  expect(sectionOf(messages, rules)).toEqual([
    'Never touch vendor/.',
    'Actually, use spaces instead of tabs.',
  ]);
  const said = [
    'Write some code in markdown in chat',
    'Use tabs.',
    'The accent is #8abeb7.',
    "I don't think the footer updates. Don't commit yet.",
  ];
  expect(sectionOf(messages, '### Said by the user')).toEqual(said);
  const options = { maxTokens: 4000, countTokens: quarter, mark: 'k3J9xQa81zLm' };
  const earlier = extractSummary(messages, options);
  const next = extractSummary([user('Ship it.'), assistant('Shipped.'), user('And the docs?')], {
    ...{ ...options, earlier },
  });
  const [, again = ''] = /### Said by the user\n([\s\S]*?)\n(?:###|<<<|## )/.exec(next) ?? [];
  expect(again.split('\n')).toEqual(expect.arrayContaining(['The accent is #8abeb7.']));
  expect(next).toMatch(/## Constraints and preferences\n(?:[^#]*\n)?Never touch vendor\/\./);
});

test('a long text of the user ends after a whole line, or after a whole word with a sign', () => {
  const long = `Mind this: ${'every table of the old service '.repeat(20)}`;
  const list = Array.from({ length: 30 }, (_, at) => `- table ${String(at)} stays where it is`);
  for (const text of [long, list.join('\n')]) {
    const lines = sectionOf(
      [user('Port it.'), user(text), user('Build it and show me the page.')],
      '### Said by the user',
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/(?:where it is|service|…)$/);
  }
});

test('a sentence does not end after "e.g."', () => {
  const asked = 'Ensure it reports its status, e.g. `no_egress: true` or what exists.';
  const lines = sectionOf([user('Port it.'), user(asked), user('Build it and show me.')], rules);
  expect(lines).toEqual([asked]);
});

test('commands and edits stand oldest first, without those that only look', () => {
  const messages = [
    user('Go.'),
    ...step('a', 'Edit', { file_path: '/w/src/a.ts', new_string: 'let a;' }, 'ok'),
    ...step('b', 'Bash', { command: 'npm test' }, 'exit code 1'),
    ...step('c', 'Bash', { command: "sed -n '1,9p' a.ts; git status --short" }, ' M a.ts'),
    ...step('d', 'Edit', { file_path: '/w/src/b.ts', new_string: 'let b;' }, 'ok'),
    ...step('e', 'Edit', { file_path: 'src/a.ts', new_string: 'let c;' }, 'ok'),
    ...step('f', 'Bash', { command: 'npm run lint' }, 'exit code 0'),
  ];
  expect(sectionOf(messages, '### Done')).toEqual([
    'edited /w/src/b.ts',
    'edited /w/src/a.ts',
    'npm test (exit 1)',
    'npm run lint (exit 0)',
  ]);
  expect(sectionOf(messages, '## Relevant files').slice(0, 2)).toEqual([
    'changed /w/src/a.ts',
    'changed /w/src/b.ts',
  ]);
});

test('what the assistant stated stands in its order, without what leads to its next call', () => {
  const messages = [
    user('Go.'),
    assistant('The port of the service is 4711. Let me check the file:'),
    ...step('a', 'Read', { file_path: 'a.ts' }, 'let a;'),
    assistant('The port of the service is 4712 in a.ts. Verifying directly:'),
    ...step('b', 'Read', { file_path: 'b.ts' }, 'let b;'),
    assistant('Here is what the file `a.ts` needs:'),
  ];
  expect(sectionOf(messages, '### Said by the assistant')).toEqual([
    'The port of the service is 4711.',
    'The port of the service is 4712 in a.ts.',
  ]);
});

test('an error of long ago says so', () => {
  const looks = Array.from({ length: 12 }, (_, at) =>
    step(String(at), 'Read', { file_path: `${String(at)}.ts` }, 'let a;'),
  );
  const failed = step('f', 'Bash', { command: 'make all' }, 'make: *** [all] Error 2');
  const options = { maxTokens: 4000, countTokens: quarter, mark: 'k3J9xQa81zLm' };
  const summary = extractSummary([user('Go.'), ...failed, ...looks.flat()], options);
  expect(summary).toContain('\n12 calls ago, Bash make all: make: *** [all] Error 2\n');
});

const answered = 'The assistant answered last; the user has asked for nothing since.';

test.each([
  [
    'I’m committing the five files and pushing the branch.',
    'I’m committing the five files and pushing the branch.',
  ],
  [
    "The symbol index isn't asked at all. Let me check.",
    "The symbol index isn't asked at all. Let me check.",
  ],
  ["Tests are green. I'm not sure of the rest.", undefined],
  ["I'm seeing two errors.", undefined],
])('of "%s" the next step is %j', (said, next) => {
  const lines = sectionOf([user('Go.'), assistant(said)], '## Next step');
  expect(lines).toEqual([next === undefined ? answered : `The assistant said: ${next}`]);
});

const look = step('a', 'Read', { file_path: 'a.ts' }, 'let a;');
const report =
  '1. The lock is taken twice. 2. The test sleeps. 3. The retry has no end. 4. The name lies.';

test.each([
  [
    'a step of a turn that ended with an answer',
    [assistant('Let me check the lock.'), ...look, assistant('All three are fixed.')],
    answered,
  ],
  [
    'a step that is carried out in the same text',
    [assistant(`I have all I need. Let me write the review.\n\n${report}`)],
    answered,
  ],
  [
    'a question at the end',
    [assistant('The lock can go. Want me to remove it?')],
    'The assistant asked: Want me to remove it?',
  ],
  [
    'a step before another request',
    [assistant('Let me check the lock.'), ...look, user('Now write the release notes for it.')],
    'The user asked, unanswered: Now write the release notes for it.',
  ],
  [
    'what a host prints below an answer',
    [
      assistant('The lock is gone.\n\n```ts\nlet a;\n```'),
      user(
        'Tokens: 4.3k sent, 570 received.\nApplied edit to a.ts\nCommit 5bfff72 fix: Drop the lock',
      ),
    ],
    answered,
  ],
  [
    'the rest of an edit as Aider writes it',
    [assistant('Done.'), user('>>>>>> REPLACE')],
    answered,
  ],
  [
    'a request below what a host prints',
    [assistant('Done.'), user('Applied edit to a.ts'), user('Now write the release notes for it.')],
    'The user asked, unanswered: Now write the release notes for it.',
  ],
  [
    'calls without a word',
    [user('Would the gift card bring us below the limit?'), ...look],
    'Before one call, the last Read a.ts (outcome not shown), the user asked: Would the gift card bring us below the limit?',
  ],
])('after %s the next step is told as it is', (_, after, next) => {
  const messages = [user('Review the queue of the importer.'), ...look, ...after];
  expect(sectionOf(messages, '## Next step')).toEqual([next]);
  expect(
    findMisleading(
      extractSummary(messages, { maxTokens: 4000, countTokens: quarter, mark: 'k3J9xQa81zLm' }),
      messages,
    ),
  ).toEqual([]);
});

test.each([
  ['edits that failed', 'The LLM did not conform to the edit format.'],
  ['an answer that was cut off', '^C again to exit'],
  ['a line of code alone', '      a = Path(root) / names[0]'],
  ['a pasted log', 'error TS2304: Cannot find name'],
  ['code alone', '```ts\nlet a;\n```'],
])('of %s below an answer no next step is told', (_, text) => {
  const lines = sectionOf([user('Go.'), assistant('Done.'), user(text)], '## Next step');
  expect(lines).toEqual(['- none']);
});

test('a first request that nobody answered is the next step', () => {
  const lines = sectionOf([user('Port the parser to Rust.')], '## Next step');
  expect(lines).toEqual(['The user asked, unanswered: Port the parser to Rust.']);
});

test('a line of code that stands alone is no request', () => {
  const said = [user('Port it.'), assistant('It fails.'), user('          cmd_read(str(file))')];
  expect(sectionOf([...said, assistant('Why?')], '## Goal')).toEqual(['First request: Port it.']);
  const words = [user('Port it.'), assistant('It fails.'), user('   Use (the) other file.')];
  expect(sectionOf(words, '## Goal')).toContain('Newest request: Use (the) other file.');
});

test('a short answer stands below the question that it answers', () => {
  const messages = [
    user('Clean up the lock.'),
    assistant('It is used once. Shall I remove it?'),
    user('yes'),
  ];
  expect(sectionOf(messages, '## Next step')).toEqual([
    'The assistant asked: Shall I remove it?',
    'The user asked, unanswered: yes',
  ]);
});

test('an edit that was refused in words, or whose result never came, was not made', () => {
  const edit = (path: string) => ({ command: 'str_replace', path, old_str: 'a', new_str: 'b' });
  const messages = [
    user('Go.'),
    ...step(
      'a',
      'str_replace_editor',
      edit('/w/a.c'),
      'ERROR:\nParameter `old_str` is required for command: str_replace.',
    ),
    ...step('b', 'str_replace_editor', edit('/w/b.c'), 'The file /w/b.c has been edited.'),
    assistant(call('c', 'str_replace_editor', edit('/w/c.c'))),
  ];
  expect(sectionOf(messages, '### Done')).toEqual(['edited /w/b.c']);
  expect(sectionOf(messages, '## Relevant files')).toEqual(['changed /w/b.c']);
});

test('a request that is too long for its room ends where it is cut, and shows it', () => {
  const long = `It must ${'never lose a message, '.repeat(60)}whatever happens.`;
  const messages = [user(`Port the queue.\n${long}\nThese have to stay.`), ...look];
  const options = { maxTokens: 900, countTokens: quarter, mark: 'k3J9xQa81zLm' };
  const goal = extractSummary(messages, options).split('## Constraints')[0] ?? '';
  expect(goal).not.toContain('These have to stay.');
  expect(goal.trim().endsWith('…')).toBe(true);
});
