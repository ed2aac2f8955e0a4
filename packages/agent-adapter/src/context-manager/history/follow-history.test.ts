import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { keyOfMessage } from './compare-messages.ts';
import { type FollowedMessage, givenMessage, planFollow } from './follow-history.ts';

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const given = (...texts: string[]) => texts.map((text) => givenMessage(say(text)));
const seen = (...texts: string[]): FollowedMessage[] =>
  texts.map((text, index) => ({ message: say(text), sequence: index + 1, before: index }));
const taken = (...texts: string[]): FollowedMessage[] =>
  texts.map((text, index) => ({
    key: keyOfMessage(say(text)),
    sequence: index + 1,
    before: index,
  }));

describe('planFollow', () => {
  it('goes on where the history goes on', () => {
    const known = { given: seen('a', 'b'), taken: taken('a', 'b'), returned: [] };
    expect(planFollow(known, given('a', 'b', 'c'))).toMatchObject({ known: 2 });
    expect(planFollow(known, given('a', 'b')).rewindTo).toBeUndefined();
  });

  it('knows by its keys what another process took in', () => {
    const known = { given: [], taken: taken('a', 'b'), returned: [] };
    expect(planFollow(known, given('a', 'b', 'c'))).toMatchObject({ known: 2, isReturned: false });
    expect(planFollow(known, given('a', 'b', 'c')).rewindTo).toBeUndefined();
  });

  it('knows what it returned when the host gives that', () => {
    const returned = [{ message: say('a') }, { message: say('[stub]') }];
    const known = { given: seen('a', 'b'), taken: taken('a', 'b'), returned };
    expect(planFollow(known, given('a', '[stub]', 'c'))).toMatchObject({
      known: 2,
      isReturned: true,
    });
  });

  it('goes back to before the first message that is another one', () => {
    const known = { given: seen('a', 'b', 'c'), taken: taken('a', 'b', 'c'), returned: [] };
    expect(planFollow(known, given('a', 'x', 'c'))).toMatchObject({ rewindTo: 1, known: 1 });
    expect(planFollow(known, given('a'))).toMatchObject({ rewindTo: 1, known: 1 });
    expect(planFollow(known, given('x'))).toMatchObject({ rewindTo: 0, known: 0 });
    expect(planFollow(known, [])).toMatchObject({ rewindTo: 0, known: 0 });
  });

  it('goes back to a place that it knows where the history had come from us', () => {
    const mixed = [{ message: say('a') }, { message: say('[stub]') }, ...seen('c', 'd').slice(1)];
    const known = { given: mixed, taken: taken('a', 'b', 'd'), returned: [] };
    expect(planFollow(known, given('a', 'b', 'x'))).toMatchObject({ rewindTo: 2, known: 2 });
  });

  it('takes only the new blocks of a message that grew', () => {
    const known = { given: seen('a', 'b'), taken: taken('a', 'b'), returned: [] };
    const grown: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'b' },
        { type: 'text', text: 'more' },
      ],
    };
    const plan = planFollow(known, [...given('a'), givenMessage(grown)]);
    expect(plan).toMatchObject({ known: 1, knownBlocks: 1 });
    expect(plan.rewindTo).toBeUndefined();
  });

  it('looks at no text twice that host and manager hold as the same string', () => {
    const long = 'x'.repeat(1_000_000);
    const known = { given: seen(long, 'b'), taken: taken(long, 'b'), returned: [] };
    const messages = given(long, 'b', 'c');
    expect(planFollow(known, messages)).toMatchObject({ known: 2 });
  });
});
