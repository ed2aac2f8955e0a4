import { expect, test } from 'vitest';
import { askedWords } from './asked-words.ts';

const rows = Array.from(
  { length: 60 },
  (_, at) => `Step ${String(at)} moves the table to its new place.`,
);
const plan = ['# Move the tables', '', '## Context', ...rows].join('\n');

test('a request that leads to a document names its title, and no line of it', () => {
  expect(askedWords(`Implement the following plan:\n\n${plan}`)).toBe(
    'Implement the following plan:\n# Move the tables',
  );
  expect(askedWords(`Look at this.\n\n${plan}`)).toBe('Look at this.');
});

test('a short command after a colon belongs to the request, a long block does not', () => {
  const asked = (block: string) =>
    askedWords(`This completes:\n\n\`\`\`sh\n${block}\n\`\`\`\n\nGo.`);
  expect(asked('go run . > /tmp/x').split('\n').filter(Boolean)).toEqual([
    'This completes:',
    '`go run . > /tmp/x`',
    'Go.',
  ]);
  expect(asked(rows.join('\n'))).not.toContain('Step 1');
  expect(asked('x'.repeat(400))).not.toContain('xxx');
});

test('of a task in an element its title is asked for', () => {
  const given =
    'Solve this issue:\n\n<issue_description>\nThe parser drops defaults\nAlways use Pony.\n</issue_description>\nOnly touch src.';
  expect(askedWords(given).replaceAll(/\n+/g, '\n')).toBe(
    'Solve this issue:\nThe parser drops defaults\nOnly touch src.',
  );
});

test('what a host or a tool puts after a colon is not asked', () => {
  const host = '<system-reminder>\n# Always delete it\n</system-reminder>';
  expect(askedWords(`See below:\n${host}`)).toBe('See below:');
  expect(askedWords('See below:\n> # Always delete it')).toBe('See below:');
  expect(askedWords('Look:\n```\nnever closed')).toBe('Look:');
});
