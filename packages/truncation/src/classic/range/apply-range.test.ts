import { validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import {
  alternating,
  assistant,
  call,
  frozen,
  result,
  text,
  thinking,
  toolSession,
  user,
} from '../../test-support/messages.ts';
import { truncationNotice, withNotice } from '../notices.ts';
import { applyRange } from './apply-range.ts';
import { deletedRange } from './deleted-range.ts';

describe('applyRange', () => {
  it('gives the same list back where nothing left', () => {
    const messages = alternating(5);
    const applied = applyRange(messages, undefined, { notice: truncationNotice });
    expect(applied).toEqual({ messages, removedCount: 0, repairs: [] });
  });

  it('takes out both ends and what lies between', () => {
    const messages = alternating(7);
    const applied = applyRange(messages, deletedRange(2, 4));
    expect(applied.messages).toEqual([0, 1, 5, 6].map((index) => messages[index]));
    expect(applied.removedCount).toBe(3);
  });

  it('keeps the task and what follows it whatever the range says', () => {
    const messages = alternating(6);
    expect(applyRange(messages, deletedRange(0, 3)).messages).toEqual(
      [0, 1, 4, 5].map((index) => messages[index]),
    );
  });

  it('lets results leave with their call, and nothing else of their message', () => {
    const messages = [
      user('task'),
      assistant('well'),
      assistant(call('a')),
      user(result('a'), 'and be quick'),
      assistant('yes'),
    ];
    expect(applyRange(messages, deletedRange(2, 2)).messages).toEqual([
      user('task'),
      assistant('well'),
      user('and be quick'),
      assistant('yes'),
    ]);
  });

  it('drops a message that held nothing but results of what left', () => {
    const messages = [user('task'), assistant('well'), assistant(call('a')), user(result('a'))];
    expect(applyRange(messages, deletedRange(2, 2)).messages).toEqual([
      user('task'),
      assistant('well'),
    ]);
  });

  it('keeps the result of a call that stays, though its message leaves', () => {
    const messages = toolSession(2);
    const applied = applyRange(messages, deletedRange(2, 2));
    expect(applied.messages).toEqual(messages);
    expect(applied.repairs).toEqual([]);
  });

  it('keeps the result of a call that stays where another with its id leaves', () => {
    const messages = [
      user('task'),
      assistant('well'),
      assistant(call('a')),
      user(result('a', 'old')),
      assistant(call('a')),
      user(result('a', 'new')),
    ];
    const view = applyRange(messages, deletedRange(2, 3)).messages;
    expect(view.slice(2)).toEqual([assistant(call('a')), user(result('a', 'new'))]);
  });

  it('brings a late result to its call when the messages between them leave', () => {
    const messages = [
      user('task'),
      assistant(call('a')),
      user('well?'),
      assistant('I wait'),
      user(result('a', 'late')),
      assistant('there'),
    ];
    const { messages: view } = applyRange(messages, deletedRange(2, 4));
    expect(view).toEqual([
      user('task'),
      assistant(call('a')),
      user(result('a', 'late')),
      assistant('there'),
    ]);
  });

  it('repairs a list that was broken before, and says so', () => {
    const messages = [user('task'), assistant(call('a')), user('stop'), assistant('yes')];
    const { messages: view, repairs } = applyRange(messages, undefined);
    expect(validateMessages(view)).toEqual([]);
    expect(repairs.map(({ kind }) => kind)).toEqual(['missing-result-filled']);
  });

  it('changes nothing of what it was given', () => {
    const messages = frozen(toolSession(6));
    expect(applyRange(messages, deletedRange(3, 6), { notice: 'cut' }).removedCount).toBe(4);
  });
});

describe('the truncation notice', () => {
  const cut = (answer: ReturnType<typeof assistant>) =>
    applyRange([user('task'), answer, ...toolSession(4).slice(1)], deletedRange(2, 3), {
      notice: truncationNotice,
    }).messages[1]?.content;

  it('comes first in an answer of words', () => {
    expect(cut(assistant('well'))).toEqual([text(truncationNotice), text('well')]);
  });

  it('comes behind thinking, which providers want first', () => {
    expect(cut(assistant(thinking(), 'well'))).toEqual([
      thinking(),
      text(truncationNotice),
      text('well'),
    ]);
  });

  it('comes first in an answer that only calls', () => {
    const view = applyRange(toolSession(4), deletedRange(3, 4), { notice: 'cut' }).messages;
    expect(view[1]?.content).toEqual([text('cut'), call('c0')]);
  });

  it('comes after the task where no answer is left', () => {
    expect(withNotice([user('task')], 'cut')).toEqual([user('task', 'cut')]);
  });

  it('stands nowhere in an empty conversation', () => {
    expect(withNotice([], 'cut')).toEqual([]);
  });

  it('stands there once, however often the range grew', () => {
    const messages = alternating(20);
    for (const end of [5, 9, 13]) {
      const view = applyRange(messages, deletedRange(2, end), { notice: 'cut' }).messages;
      expect(JSON.stringify(view).split('"cut"')).toHaveLength(2);
    }
  });
});
