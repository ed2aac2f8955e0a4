import { expect, it } from 'vitest';
import { insertPair, testWindow, textOf, user } from '../test-support/test-window.ts';
import type { Window } from '../window.ts';

const day = 86_400_000;
const tails = { tailTokens: 500, otherTailTokens: 500, coldTailTokens: 500 };

/** A window with a read of 3,000 tokens that left the tail, and so many tokens besides; then a pause. */
function paused(besides: number, rereadWeight = 1): Window {
  const { window } = testWindow({
    fixedTokens: besides,
    changes: { ...tails, freeFloorTokens: 20, rereadWeight },
  });
  window.insert(user('task'));
  insertPair(window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: textOf(3000) });
  insertPair(window, 'b', { text: textOf(600, 'b') });
  window.request(0);
  window.request(day);
  return window;
}

const showsRead = (window: Window): boolean =>
  JSON.stringify(window.view()).includes('line of  text, 500');

it('keeps a read at work if a request that asks for it again would cost more', () => {
  expect(showsRead(paused(50_000))).toBe(true);
});

it('lets it leave if asking for it again, with a small context, is cheaper', () => {
  expect(showsRead(paused(5000))).toBe(false);
});

it('asks the policy how much dearer an answer without it is', () => {
  expect(showsRead(paused(5000, 2))).toBe(true);
  expect(showsRead(paused(50_000, 0.1))).toBe(false);
});
