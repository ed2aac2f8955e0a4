import { describe, expect, it } from 'vitest';
import { assistant, call, image, result, text, user } from '../../test-support/messages.ts';
import { measureEdits, savesEnough } from './metrics.ts';

const perCharacter = (value: string): number => value.length * 2;
const messages = [
  user('x'.repeat(50)),
  assistant(call('1', 'Read', {})),
  user(result('1', 'y'.repeat(48)), 'z'.repeat(46)),
];

describe('measureEdits', () => {
  it('counts characters and tokens before and after, in all and for each edit', () => {
    const edits = [
      { messageIndex: 2, blockIndex: 0, block: result('1', 'cut'), cause: 'duplicate-read' },
      { messageIndex: 2, blockIndex: 1, block: text('z'.repeat(23)), cause: 'other' },
    ];
    // 50 + "Read{}" (6) + 48 + 46 = 150; less 45 and 23.
    const { total, edits: each } = measureEdits(messages, edits, perCharacter);
    expect(total).toEqual({
      charactersBefore: 150,
      charactersAfter: 82,
      tokensBefore: 300,
      tokensAfter: 164,
      savedShare: 68 / 150,
    });
    expect(each.map(({ savedShare }) => savedShare)).toEqual([45 / 48, 0.5]);
    expect(each[1]).toMatchObject({ messageIndex: 2, blockIndex: 1, cause: 'other' });
  });

  it('measures the second edit of a block against the first, and counts the last one', () => {
    const edit = (characters: number) => ({
      ...{ messageIndex: 0, blockIndex: 0, cause: 'again' },
      block: text('a'.repeat(characters)),
    });
    const { total, edits: each } = measureEdits([user('x'.repeat(4))], [edit(2), edit(1)]);
    expect(total).toMatchObject({ charactersBefore: 4, charactersAfter: 1, savedShare: 0.75 });
    expect(each.map((one) => [one.charactersBefore, one.charactersAfter])).toEqual([
      [4, 2],
      [2, 1],
    ]);
  });

  it('finds nothing saved without edits, and in nothing', () => {
    expect(measureEdits(messages, []).total.savedShare).toBe(0);
    expect(measureEdits([], []).total.savedShare).toBe(0);
    const nowhere = { messageIndex: 9, blockIndex: 0, block: text(''), cause: 'x' };
    expect(measureEdits(messages, [nowhere]).edits).toEqual([]);
  });

  it('counts pictures as they are', () => {
    expect(measureEdits([user(image())], []).total.charactersBefore).toBeGreaterThan(50);
  });
});

describe('savesEnough', () => {
  const change = (savedShare: number, tokensAfter: number) => ({
    charactersBefore: 100,
    charactersAfter: 100 - savedShare * 100,
    tokensBefore: 1000,
    tokensAfter,
    savedShare,
  });

  it('says yes at 30 % when the result fits', () => {
    expect(savesEnough(change(0.3, 700), 700)).toBe(true);
    expect(savesEnough(change(0.29, 700), 700)).toBe(false);
    expect(savesEnough(change(0.1, 700), 700, { minSavedShare: 0.1 })).toBe(true);
  });

  it('never says yes to what does not fit, however much was saved', () => {
    expect(savesEnough(change(0.99, 701), 700)).toBe(false);
    expect(savesEnough(change(0.99, 701), 700, { minSavedShare: 0 })).toBe(false);
  });
});
