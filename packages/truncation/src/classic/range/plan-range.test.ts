import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import {
  alternating,
  assistant,
  call,
  result,
  system,
  thinking,
  toolSession,
  user,
} from '../../test-support/messages.ts';
import { type ClassicStrategy, removedCount } from '../strategies.ts';
import { deletedRange } from './deleted-range.ts';
import { frontOf, planRange } from './plan-range.ts';

const planned = (messages: readonly Message[], strategy: ClassicStrategy, previous?: number) => {
  const range = planRange(
    messages,
    strategy,
    previous === undefined ? undefined : deletedRange(2, previous),
  );
  return range === undefined ? undefined : [range.start, range.end];
};

describe('removedCount', () => {
  it.each([
    ['none', 13, 11],
    ['last-two', 13, 9],
    ['half', 13, 4],
    ['quarter', 13, 8],
    ['half', 6, 2],
    ['quarter', 4, 0],
    ['none', 1, 0],
    ['last-two', 3, 0],
    ['half', 1, 0],
    ['quarter', 1, 0],
  ] as const)('takes with %s out of %i messages %i', (strategy, count, removed) => {
    expect(removedCount(strategy, count, 2)).toBe(removed);
  });
});

describe('planRange between plain messages', () => {
  it.each([
    // Behind the front are 15 messages; 4 pairs are the half of it that is even and rounded down: 6.
    [17, 'half', undefined, [2, 7]],
    [17, 'half', 7, [2, 11]],
    [17, 'quarter', undefined, [2, 11]],
    [17, 'last-two', undefined, [2, 13]],
    [17, 'none', undefined, [2, 15]],
    [18, 'last-two', undefined, [2, 15]],
    [18, 'none', undefined, [2, 17]],
    [5, 'half', undefined, undefined],
    [6, 'half', undefined, [2, 3]],
    [3, 'none', undefined, undefined],
    [2, 'none', undefined, undefined],
    [0, 'none', undefined, undefined],
    [17, 'none', 15, undefined],
  ] as const)('of %i messages, %s after %s: %j', (count, strategy, previous, expected) => {
    expect(planned(alternating(count), strategy, previous)).toEqual(expected);
  });

  it('never takes the last message of the user, and so steps back to the assistant', () => {
    expect(planned(alternating(9), 'none')).toEqual([2, 7]);
  });

  it('gives no range where all that is left was taken out before', () => {
    expect(planned(alternating(17), 'half', 16)).toBeUndefined();
    expect(planned(alternating(17), 'half', 40)).toBeUndefined();
  });

  it('lets a system message before the task stay, and counts from the task on', () => {
    expect(frontOf([system('be brief'), ...alternating(9)])).toBe(3);
    const range = planRange([system('be brief'), ...alternating(9)], 'half');
    expect(range).toEqual({ start: 3, end: 4 });
  });
});

describe('planRange around calls', () => {
  it('parts no call from its results, and takes as many messages as the arithmetic says', () => {
    // 0 task, 1 call, 2 result, … 19 call, 20 result; the arithmetic alone says [2, 9].
    expect(planned(toolSession(10), 'half')).toEqual([3, 10]);
  });

  it('leaves the newest call and its result in view even where nothing is to stay', () => {
    expect(planned(toolSession(10), 'none')).toEqual([3, 18]);
  });

  it('goes on behind what left before', () => {
    const messages = toolSession(10);
    const first = planRange(messages, 'half');
    expect(planRange(messages, 'half', first)).toEqual({ start: 3, end: 14 });
  });

  it('keeps parallel results that are spread over several messages with their calls', () => {
    const messages = [
      user('task'),
      assistant('I look'),
      user('go on'),
      assistant(call('a'), call('b'), call('c')),
      user(result('c')),
      user(result('a')),
      user(result('b')),
      assistant('so'),
      user('and'),
      assistant('yes'),
      user('more'),
    ];
    // The arithmetic says [2, 4], in the midst of the results.
    expect(planned(messages, 'half')).toEqual([2, 6]);
  });

  it('narrows the range where that is nearer', () => {
    const many = Array.from({ length: 9 }, (_, index) => `m${index}`);
    const messages = [
      ...alternating(6),
      assistant(...many.map((id) => call(id))),
      ...many.map((id) => user(result(id))),
      assistant('so'),
      user('and'),
    ];
    // The arithmetic says [2, 8], two results into a unit of ten messages.
    expect(planned(messages, 'half')).toEqual([2, 5]);
  });

  it('never widens over the newest unit', () => {
    const messages = [
      user('task'),
      assistant('hm'),
      assistant(call('a'), call('b'), call('c')),
      user(result('a')),
      user(result('b')),
      user(result('c')),
    ];
    expect(planned(messages, 'half')).toBeUndefined();
  });
});

describe('planRange in thinking loops', () => {
  const loop = [
    user('task'),
    assistant('well'),
    user('do it'),
    assistant(thinking(), call('a')),
    user(result('a')),
    assistant(call('b')),
    user(result('b')),
    assistant(call('c')),
    user(result('c')),
    assistant('done'),
    user('next'),
    assistant('yes'),
    user('more'),
  ];

  it('keeps a loop whole that only its opening thinks for', () => {
    // The arithmetic says [2, 5]; a request may not begin the loop with `b`, which did not think.
    expect(planned(loop, 'half')).toEqual([2, 2]);
  });

  it('cuts before a message that thinks for itself', () => {
    const interleaved = loop.with(5, assistant(thinking(), call('b')));
    expect(planned(interleaved, 'half')).toEqual([2, 4]);
  });

  it('cuts within a loop whose opening stays in front', () => {
    const messages = [
      user('task'),
      assistant(thinking(), call('a')),
      user(result('a')),
      ...toolSession(8).slice(1),
    ];
    expect(planned(messages, 'half')).toEqual([3, 10]);
  });
});
