import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { stepsOf } from './replay-session.ts';

const message = (role: 'user' | 'assistant'): Message => ({
  role,
  content: [{ type: 'text', text: role }],
});

describe('stepsOf', () => {
  it('asks once for each answer, 20 s apart where no times are known', () => {
    const messages = [message('user'), message('assistant'), message('user'), message('assistant')];
    expect(stepsOf({ id: 's', messages })).toEqual([
      { answerIndex: 1, answerEnd: 2, time: 0 },
      { answerIndex: 3, answerEnd: 4, time: 20_000 },
    ]);
  });

  it('takes the times given, in order, and never goes back', () => {
    const messages = [
      message('user'),
      message('assistant'),
      message('user'),
      message('assistant'),
      message('user'),
      message('assistant'),
    ];
    const steps = stepsOf({ id: 's', messages, times: [0, 5000, 4000] });
    expect(steps.map(({ time }) => time)).toEqual([0, 5000, 5000]);
  });

  it('takes assistant messages in a row for one answer, and asks for nothing before the first message', () => {
    const messages = [
      message('assistant'),
      message('user'),
      message('assistant'),
      message('assistant'),
    ];
    expect(stepsOf({ id: 's', messages })).toEqual([{ answerIndex: 2, answerEnd: 4, time: 0 }]);
  });
});
