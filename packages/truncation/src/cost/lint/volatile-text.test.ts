import fc from 'fast-check';
import { expect, it } from 'vitest';
import { volatileKinds } from './volatile-text.ts';

it('is silent about texts that differ in words, and about equal ones', () => {
  expect(volatileKinds('at 10:00 all is well', 'at 10:01 all is lost')).toEqual([]);
  expect(volatileKinds('at 10:00', 'at 10:00')).toEqual([]);
});

it('names each kind once, in the order of the text', () => {
  const before = 'run 0b0e1ba5-54ee-4c5b-9d2c-9cf1f5b4a111 step 1 of 9';
  const after = 'run 1c1f2cb6-65ff-4d6c-8e3d-8df2a6c5b222 step 2 of 9';
  expect(volatileKinds(before, after)).toEqual(['uuid', 'number']);
});

it('finds a changed time wherever it stands, and nothing else', () => {
  const words = fc.constantFrom('You are an agent.', 'Today is', 'rules: 1, 2, 3', '\n', 'ünï😀');
  const time = fc
    .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  fc.assert(
    fc.property(fc.array(words), fc.array(words), time, time, (head, tail, old, now) => {
      const at = (moment: string): string => [...head, ` ${moment} `, ...tail].join(' ');
      expect(volatileKinds(at(old), at(now))).toEqual(old === now ? [] : ['timestamp']);
    }),
  );
});

it.each([
  ['digits', '1'.repeat(200_000)],
  ['dashes and digits', '12-34-'.repeat(30_000)],
  ['hexadecimals', 'deadbeef'.repeat(25_000)],
  ['uuids that never end', '0b0e1ba5-54ee-4c5b-9d2c-'.repeat(8000)],
  ['names of days', 'sunmonday'.repeat(20_000)],
])('reads hostile %s to the end, and tells that one sign more is no time', (_name, text) => {
  expect(volatileKinds(text, `${text}!`)).toEqual([]);
});
