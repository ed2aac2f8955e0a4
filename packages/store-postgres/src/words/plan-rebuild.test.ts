import { expect, test } from 'vitest';
import { beganComment, builtComment, planRebuild, type WordIndex } from './plan-rebuild.ts';

const megabyte = 1_000_000;
const index = (given: Partial<WordIndex>): WordIndex => ({
  ...{ name: '"s"."i"', bytes: 20 * megabyte, tableBytes: 10 * megabyte, comment: undefined },
  ...{ isOwn: true, isBusy: false, leftovers: [], now: 1_000_000 },
  ...given,
});
const isRebuilt = (given: Partial<WordIndex>): boolean => planRebuild(index(given)).isRebuilt;

test('an index that is larger than half of its table is rebuilt, and a small one is not', () => {
  expect(isRebuilt({})).toBe(true);
  expect(isRebuilt({ tableBytes: 39 * megabyte })).toBe(true);
  expect(isRebuilt({ tableBytes: 41 * megabyte })).toBe(false);
  expect(isRebuilt({ bytes: 8_388_607, tableBytes: 0 })).toBe(false);
  expect(isRebuilt({ bytes: 8_388_608, tableBytes: 0 })).toBe(true);
});

test('once rebuilt it is rebuilt again at three times that size, the more the larger its table is', () => {
  const comment = builtComment(index({ bytes: 9 * megabyte }));
  expect(isRebuilt({ comment, bytes: 26 * megabyte })).toBe(false);
  expect(isRebuilt({ comment, bytes: 28 * megabyte })).toBe(true);
  expect(isRebuilt({ comment, bytes: 28 * megabyte, tableBytes: 20 * megabyte })).toBe(false);
  expect(isRebuilt({ comment, bytes: 28 * megabyte, tableBytes: megabyte })).toBe(true);
});

test('what another process has begun is left to it for a minute, and what it left is dropped afterwards', () => {
  const began = { comment: beganComment(index({})), leftovers: ['"s"."i_ccnew"'] };
  expect(planRebuild(index({ ...began, now: 1_059_999 }))).toEqual({ drops: [], isRebuilt: false });
  expect(planRebuild(index({ ...began, now: 1_060_000 }))).toEqual({
    drops: ['"s"."i_ccnew"'],
    isRebuilt: true,
  });
});

test('nothing is done to a table that is vacuumed or indexed, nor by a user who does not own it', () => {
  expect(planRebuild(index({ isBusy: true, leftovers: ['"s"."i_ccnew"'] }))).toEqual({
    drops: [],
    isRebuilt: false,
  });
  expect(isRebuilt({ isOwn: false })).toBe(false);
});

test('a rebuild that begins keeps the size of the last one, and the comment of a person says nothing', () => {
  const built = builtComment(index({ bytes: 9 * megabyte }));
  const comment = beganComment(index({ comment: built, now: 0 }));
  expect(isRebuilt({ comment, bytes: 26 * megabyte })).toBe(false);
  for (const words of [
    'words of outputs',
    'ctx {',
    'ctx null',
    'ctx {"bytes":"1","tableBytes":1}',
  ]) {
    expect(isRebuilt({ comment: words })).toBe(true);
  }
});
