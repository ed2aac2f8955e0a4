import { expect, test } from 'vitest';
import { isDecision, isRule } from './rules-and-decisions.ts';

test.each([
  'I decided to use a Map.',
  "We've agreed on squash merging.",
  'Decision: keep the table.',
  'The team chose Postgres.',
  'Our decision was to split the package.',
  "Let's go with option 1.",
  "For deterministic goldens I'll use `Worktree: true`.",
  'The root cause is a timing issue.',
  'It was decided to ship on Monday.',
])('"%s" tells a decision', (sentence) => {
  expect(isDecision(sentence)).toBe(true);
});

test.each([
  'The only open item is issue #34 (the migration decision).',
  'The main decision is one PR or several.',
  'Someone chose commit keying on purpose.',
  'The check re-validates something that was already decided.',
  'Then I decide the remedy (likely a guard).',
  '**Root cause of "trailer added but no checkpoint":**',
  'The root cause is probably a timing issue.',
  'Same root cause produces a wrong edge.',
  'Have we decided to use a Map?',
  'We have not agreed if we split it.',
])('"%s" tells none', (sentence) => {
  expect(isDecision(sentence)).toBe(false);
});

test.each([
  'Never push to main.',
  'Keep the API as it is.',
  'Only touch src, please.',
  'Can you rebase onto next instead of main please?',
  'Ok, could we do it without a lock?',
  'Why don’t you use pnpm instead of npm?',
  'The port must be 8080, right now it is 80.',
  "I don't want yarn here, don't add it.",
  'I think you should avoid globals.',
  '_Always_ use tabs.',
  'Never mind the linter, but keep the tests green.',
  'It must always be sorted.',
  'You always ask before you push.',
  '__Never__ commit to main.',
])('"%s" sets a rule', (sentence) => {
  expect(isRule(sentence)).toBe(true);
});

test.each([
  'But we only commit if files change, right?',
  "Shouldn't it be called, since it's in finally: ?",
  'self.abs_read_only_fnames = abs_read_only_fnames or []',
  'git diff --only-matching',
  'Commit 416fd16 fix: Ensure the file is there',
  'Now at: f87bf22 fix: Ensure it is called',
  'Yes, keep going.',
  "I don't think the footer updates.",
  'It just does not work, and I do not know why',
  'ok, I think the list breaks the invariant that no line must be wider',
  'Yes, fix the gaps - they should be straightforward',
  'Keep on',
  'Look at __keep_alive__ and _only_matching.',
  'Never mind the linter.',
  'Never seen this before.',
  'Always the same error.',
  'It somehow always lists these under each branch',
  'It always crashes here',
  'You never answered my question.',
  'I always get this error',
  "I can't remember his birthday",
  'We should never have merged this',
])('"%s" sets none', (sentence) => {
  expect(isRule(sentence)).toBe(false);
});
