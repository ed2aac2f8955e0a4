import { expect, test } from 'vitest';
import { isDecision } from './decisions.ts';

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
