import fc from 'fast-check';
import { expect, test } from 'vitest';
import { user } from '../test-support/conversation.ts';
import { buildLedger } from '../ledger/build-ledger.ts';
import { ownWords } from './own-words.ts';

const quarter = (text: string): number => Math.ceil(text.length / 4);

const skill = [
  'Base directory for this skill: /home/user/skills/pdf',
  '',
  '# Handling of forms',
  ...Array.from(
    { length: 30 },
    (_, at) => `You must always fill field ${String(at)} before the next.`,
  ),
  '## When to stop',
  'Never write a file that exists.',
].join('\n');

test('short words of the user count, whatever marks they hold', () => {
  const said = '# Rules\n## Mine\nNever touch vendor/. Use Map<string, number>.';
  expect(ownWords(said)).toBe(said);
});

test('of a document in a message only what is said before it counts', () => {
  expect(ownWords(`Keep the names.\n\n${skill}`)).toBe(
    'Keep the names.\n\nBase directory for this skill: /home/user/skills/pdf',
  );
  const head = `---\nname: pdf\ndescription: You must use this.\n---\n${'Always ask first. '.repeat(90)}`;
  expect(ownWords(head)).toBe('');
});

test('what hosts put in counts for nothing, with attributes, and also where it does not end', () => {
  const said = [
    'Fix it.',
    '<system-reminder level="1">You must never mention this.</system-reminder>',
    '<file_content path="a.md">Always use tabs.</file_content>',
    '> Only merge on Mondays.',
    'Keep the API.',
    '<system-reminder>You should not stop.',
  ].join('\n');
  expect(ownWords(said).replaceAll(/\s+/g, ' ')).toBe('Fix it. Keep the API.');
});

test('no rule of a pasted file is a constraint of the user, and every rule of the user is', () => {
  const ledger = buildLedger(
    [
      user('Port the parser. Never touch vendor/.'),
      user(skill),
      user(
        '<system-reminder>You must always use the todo tool.</system-reminder> Prefer short names.',
      ),
    ],
    { countTokens: quarter },
  );
  expect(ledger.constraints.map(({ text }) => text)).toEqual([
    'Prefer short names.',
    'Never touch vendor/.',
  ]);
});

test('says nothing that was not said, in time that grows with the text', () => {
  const part = fc.constantFrom(
    '<a-b>',
    '</a-b>',
    '<a-b ',
    '```',
    '# h',
    '\n',
    'word ',
    '> q',
    '---',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      for (const line of ownWords(text).split('\n')) expect(text).toContain(line.trim());
    }),
  );
  expect(ownWords('<a-b>'.repeat(100_000))).toBe('');
  expect(ownWords('<a-b></a-b>'.repeat(100_000))).toBe('');
});
