import type { Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { rulesAfter } from '../../session/summary/standing-rules.ts';
import { assistant, call, result, text, user } from '../../test-support/conversation.ts';
import { surveyHistory } from '../read-history.ts';
import { requestsOf } from './requests.ts';

const skill = 'Run the review at high effort. Never review code directly.';
const launched = result('a', 'Launching skill: code-review');
const asked = [user('Review it.'), assistant(call('a', 'Skill', { skill: 'code-review' }))];

const requests = (...messages: readonly Message[]) => requestsOf(surveyHistory(messages));

test('the text of a skill asks for nothing', () => {
  expect(requests(...asked, user(launched, text(skill)))).toMatchObject({
    first: 'Review it.',
    newest: '',
  });
});

const typed =
  '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args></command-args>';
const model =
  '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>';

test('a command with a text of its own is what the user asked for, even if it stands alone', () => {
  const messages = [user(typed), user('You are an expert. You must never ask.')];
  const later = [assistant('Two bugs.'), user('Fix the first bug in src/lexer.ts.')];
  expect(requests(...messages, ...later)).toMatchObject({
    first: '/review',
    newest: 'Fix the first bug in src/lexer.ts.',
  });
});

test('a command of the host itself asks for nothing', () => {
  expect(requests(user(model), user('Fix the bug.'))).toMatchObject({ first: 'Fix the bug.' });
});

test('no rule of a skill is kept as a rule of the user', () => {
  const entries = [
    { role: 'user', content: 'Never touch the lexer.' },
    { role: 'assistant', content: 'I review.' },
    { role: 'tool', content: 'Launching skill: code-review' },
    { role: 'user', content: skill },
  ].map((entry) => ({ ...entry, timestamp: 0 }));
  const countTokens = (words: string) => words.length;
  const rules = rulesAfter(entries, [], { summaryTokens: 2000, countTokens });
  expect(rules).toEqual(['Never touch the lexer.']);
});
