import type { ContentBlock, Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { skills } from './skills.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const answer = (words: string): Message => ({ role: 'assistant', content: [text(words)] });
const result = (words: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId: 'a',
  content: [{ type: 'text', text: words }],
});

function written(...messages: readonly Message[]): string[] {
  return messages.flatMap(skills.personBlocks());
}

const skill = text('Run the review at high effort. Never review code directly.');
const launched = result('Launching skill: code-review');
const asked = user(text('Review it.'));

test('the text of a skill is not written by the user, in the message of its result or the next', () => {
  expect(written(asked, user(launched, skill))).toEqual(['Review it.']);
  expect(written(asked, user(launched), user(skill))).toEqual(['Review it.']);
});

test('a reminder before the text of a skill changes nothing', () => {
  const reminder = text('<system-reminder>The date changed.</system-reminder>');
  expect(written(asked, user(launched, reminder, skill))).toEqual(['Review it.']);
});

test('what comes after the text of a skill, after an answer, or after another call is written by the user', () => {
  const more = user(text('Only src.'));
  const both = ['Review it.', 'Only src.'];
  expect(written(asked, user(launched, skill), more)).toEqual(both);
  expect(written(asked, user(launched), answer('Done.'), more)).toEqual([
    'Review it.',
    'Only src.',
  ]);
  expect(written(asked, user(result('ok'), text('Only src.')))).toEqual(both);
  expect(written(asked, user(launched, result('ok'), text('Only src.')))).toEqual(both);
});

const typed =
  '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>Scope: only src.</command-args>';

test('of a command that was typed stays what was typed, without the text that a host puts behind it', () => {
  const expert = text('You are an expert. You must never ask.');
  expect(written(user(text(typed)), user(expert))).toEqual(['/review\nScope: only src.']);
  const bare = typed.replace(/\n<command-args>.*/, '');
  expect(written(user(text(bare), expert))).toEqual(['/review']);
});

test('what follows a command of the host itself is written by the user', () => {
  const own =
    '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>';
  expect(written(user(text(own)), user(text('Fix the bug.')))).toEqual([own, 'Fix the bug.']);
});
