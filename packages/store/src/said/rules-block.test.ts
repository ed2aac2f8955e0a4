import { expect, test } from 'vitest';
import { speech } from './speech.ts';

test.each([
  'Instructions from: /app/AGENTS.md',
  '--- Context from: ../GEMINI.md ---',
  '--- project-doc ---',
  'Contents of /app/CLAUDE.md (project instructions, checked into the codebase):',
  '# CLAUDE.md',
])('what stands under "%s" is no word of the user, however short', (head) => {
  expect(speech.typedText(`${head}\n\nAlways use tabs.`)).toBe('');
  expect(speech.isHostMessage(`${head}\nNever push.`)).toBe(true);
});

test.each([
  'Follow the instructions from: the README',
  'Instructions from: my boss\nAlways use tabs.',
  '# CLAUDE.md is stale\nAlways use tabs.',
  'Write AGENTS.md:\nAlways use tabs.',
  'The contents of a.md: it is empty',
])('a person may type %j', (text) => {
  expect(speech.typedText(text)).toBe(text);
});

const rules = 'Always use tabs.\nNever push to main.\n- Prefer pnpm.';

test('a bare list of rules in a block before the words of the user is not theirs', () => {
  expect(speech.ownBlocks([rules, 'Fix the bug.'])).toEqual(['Fix the bug.']);
});

test('a list that the user types is theirs: alone, last, in person, or of things to do', () => {
  const own = [
    [rules],
    ['Fix the bug.', rules],
    [`${rules}\nI want no semicolons.`, 'Fix the bug.'],
    ['Please always use tabs.\nNever push.', 'Fix the bug.'],
    ['- rename the port\n- add a test', 'Then push.'],
    ['Never push to main.', 'Fix the bug.'],
    [],
  ];
  for (const blocks of own) expect(speech.ownBlocks(blocks)).toEqual(blocks);
});
