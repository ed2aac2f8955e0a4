import { expect, test } from 'vitest';
import { stillHolds } from './ended-rules.ts';

test.each([
  ['Never push to main.', 'Forget the rule about not pushing to main.'],
  ['Always run the linter.', 'You no longer need to run the linter.'],
  ["Don't commit yet.", 'Now commit it.'],
  ["Don't touch the tests for now.", 'You can touch the tests.'],
  ['Do not deploy until I say so.', 'OK, deploy now, I say so.'],
  ["Don't commit until the tests pass.", 'The tests are fine, commit it.'],
  ['Use tabs.', 'Actually, use spaces instead of tabs.'],
  ['Use npm only.', 'Use pnpm, not npm.'],
  ['Only use npm.', 'We switched from npm to pnpm.'],
  ['Keep answers under 100 words.', 'Keep answers under 200 words.'],
  ['Please answer in German.', 'Answer in English.'],
])('"%s" no longer holds after "%s"', (rule, later) => {
  expect(stillHolds(rule, ['Thanks.', later, 'Go on.'])).toBe(false);
});

test.each([
  ['Never push to main.', 'Push to main now.'],
  ['Never push to main.', 'You can push to main just this once.'],
  ['Never push to main.', 'Did you push to main?'],
  ['Never use npm.', 'Use pnpm, not npm.'],
  ['Always use npm.', 'Use pnpm instead of npm.'],
  ["Don't commit yet.", "Don't commit the lockfile."],
  ["Don't commit yet.", 'Shall we commit?'],
  ["Don't touch the tests for now.", 'You can touch the docs.'],
  ["Don't touch the tests.", 'Run the tests.'],
  ['Use tabs.', 'Use spaces in YAML.'],
  ['Keep answers under 100 words.', 'Keep files under 250 lines.'],
  ['Keep answers under 100 words.', 'Keep answers under 100 words.'],
  ['Always run the linter.', 'Ignore the warnings of the type check.'],
  ['Answer in German.', 'Write the docs in English.'],
  ['Must be done.', 'Forget it.'],
])('"%s" still holds after "%s"', (rule, later) => {
  expect(stillHolds(rule, ['Thanks.', later, 'Go on.'])).toBe(true);
});
