import { approximateTokens } from '@ctx/tokens/approximate';
import { expect, it } from 'vitest';
import { offloadText } from '../insert/offload-text.ts';
import { previewTexts } from './insert/plain-preview.ts';
import { call, result, testWindow, user } from './test-support/test-window.ts';
import { openWindow } from './window.ts';

const rows = JSON.stringify(
  Array.from({ length: 600 }, (_, id) => ({ id, state: id === 411 ? 'failed' : 'done', size: 4 })),
);
const tests = [
  'TAP version 13',
  ...Array.from({ length: 900 }, (_, at) => `ok ${String(at + 1)} - part ${String(at)} works`),
  'not ok 901 - parses dates',
  '# tests 901',
].join('\n');
function whyOf(text: string): string | undefined {
  const { options } = testWindow();
  const window = openWindow({ ...options, previewText: previewTexts() });
  window.insert(user('task'));
  window.insert(call('a', 'Fetch', { url: 'x' }));
  window.insert(result('a', text), { a: 'ctx://outputs/a' });
  return window.explain().at(-1)?.why;
}

it.each([
  ['JSON rows', rows],
  ['test report', tests],
])('names the compressor of a shown %s', (kind, text) => {
  const why = `too large on arrival: shortened by the compressor for "${kind}", with a pointer`;
  expect(whyOf(text)).toBe(why);
  const pointer = { tokens: 9000, lines: 1, bytes: text.length, uri: 'ctx://outputs/a' };
  const recorded = offloadText({
    ...{ pointer, text, previewTokens: 600 },
    countTokens: approximateTokens,
  });
  expect(whyOf(recorded)).toBe(why);
});

it('says of a preview and of a whole text what they are', () => {
  const { window } = testWindow();
  window.insert(user('task'));
  window.insert(call('a', 'Fetch', { url: 'x' }));
  window.insert(result('a', rows), { a: 'ctx://outputs/a' });
  expect(window.explain().at(-1)?.why).toBe('too large on arrival: a preview with a pointer');
  expect(whyOf('a\nb')).toBe('in the window, unchanged');
});
