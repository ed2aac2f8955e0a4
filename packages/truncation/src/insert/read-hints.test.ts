import { expect, test } from 'vitest';
import { readableBy, shellReadHint, toolReadHint } from './read-hints.ts';

const items = Array.from({ length: 2000 }, (_item, id) => ({ id, name: `item ${String(id)}` }));

test('JSON on one line is read by member or by characters, never by line or by match', () => {
  const by = readableBy(JSON.stringify({ items }), 1);
  for (const hint of [toolReadHint('ctx://outputs/x', by), shellReadHint('ctx read x', by)]) {
    expect(hint).toMatch(/"jsonPath"|--json-path/);
    expect(hint).toMatch(/"characters"|--characters/);
    expect(hint).not.toMatch(/"from"|"pattern"|--lines|--grep/);
  }
});

test('a long line of anything else is read by characters, lines by lines', () => {
  expect(readableBy('x'.repeat(20_000), 1)).toBe('characters');
  expect(readableBy(`{${'x'.repeat(20_000)}`, 1)).toBe('characters');
  expect(readableBy(JSON.stringify(items, null, 2), items.length * 4 + 2)).toBe('lines');
  expect(shellReadHint('ctx read x', 'characters')).toContain('--characters 1-12000');
  expect(shellReadHint('ctx read x', 'lines')).toContain('--lines 1-200');
});
