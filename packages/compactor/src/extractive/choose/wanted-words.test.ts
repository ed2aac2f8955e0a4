import type { Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { extractSummary } from '../extract-summary.ts';
import { isWanted, standingSentences } from './wanted-words.ts';

test.each([
  "'/var/folders/49/T/Screenshot 2025-11-21 at 01.27.21.png'",
  './notes.md',
  '/github-pr-review',
  '[theme] Detected truecolor mode (COLORTERM=truecolor, TERM=xterm-256color)',
  'Error: Variable reference not found: dimGray',
  'TypeError: x is undefined',
  'Did you push them?',
  "Can you explain me again what's the case when this could happen?",
  "i don't understand, does it capture the theme variable imported at creation time?",
  'Read the output file to retrieve the result: /private/tmp/tasks/bbb49d4.output',
  ...['Ok, merge it', 'Fix them all', 'I am ready', 'Update?', 'Word', '1'],
])('"%s" wants nothing of the next steps', (line) => {
  expect(isWanted(line)).toBe(false);
});

test.each([
  'the error is in ./notes.md',
  'Error: never show this to users, only log it',
  "why didn't you use pnpm?",
  'could we have a file watcher for the custom themes?',
  'what color are they using? should be 8ABeB7',
  'is it slow? Then cache it',
  '[theme] must be the only prefix in logs',
  ...['Use tabs', 'No emojis', 'Keep it short', 'green diff is #b5bd68', 'Never push it'],
])('"%s" may want something', (line) => {
  expect(isWanted(line)).toBe(true);
});

test('a wish holds beyond its request, and the same words as a question do not', () => {
  expect(standingSentences('Use pnpm in the scripts.')).toEqual(['Use pnpm in the scripts.']);
  expect(standingSentences('Use pnpm in the scripts?')).toEqual([]);
});

test('constraints repeat no request of several lines, and hold no pasted output', () => {
  const said = (role: 'user' | 'assistant', text: string): Message => ({
    role,
    content: [{ type: 'text', text }],
  });
  const messages = [
    said('user', 'Clone the repos\nif they must be\nin ~/Projects.'),
    said('assistant', 'Done.'),
    said('user', "Only use the dark theme.\n'/tmp/shots/Screenshot at 01.png'\nError: no dimGray"),
    said('assistant', 'Fixed.'),
    said('user', 'Now write the docs of it.'),
  ];
  const summary = extractSummary(messages, {
    maxTokens: 600,
    countTokens: (text) => Math.ceil(text.length / 4),
    mark: 'k3J9xQa81zLm',
  });
  const [, constraints = ''] =
    /## Constraints and preferences\n([\s\S]*?)\n## Decisions/.exec(summary) ?? [];
  expect(constraints).toBe('Only use the dark theme.');
});
