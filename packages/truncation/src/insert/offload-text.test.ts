import { expect, test } from 'vitest';
import { offloadText, shortenText } from './offload-text.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);

function offload(text: string, maxTokens?: number): string {
  const pointer = {
    id: 'out',
    tokens: countTokens(text),
    lines: text.split('\n').length,
    bytes: text.length,
  };
  const most = maxTokens === undefined ? {} : { maxTokens };
  return offloadText({ pointer, text, previewTokens: 600, countTokens, ...most });
}

const rows = Array.from({ length: 400 }, (_row, id) => ({
  id,
  name: `name ${String(id)}`,
  state: id % 100 === 7 ? 'failed' : 'ok',
}));

test('rows unlike the others stand in the preview, whose first line says what it is, what is left out and where the whole is', () => {
  const text = offload(JSON.stringify(rows));
  const [head, ...lines] = text.split('\n');
  expect(head).toMatch(
    /is kept at ctx:\/\/outputs\/out; JSON rows; left out: \d+ rows that are like others\]$/,
  );
  for (const id of [7, 107, 207, 307])
    expect(lines).toContain(`${String(id)} [${String(id)},"name ${String(id)}","failed"]`);
  expect(lines.at(-1)).toContain('ctx_read_output');
});

const list = Array.from(
  { length: 300 },
  (_line, index) => `src/some/where/file${String(index)}.ts:${String(index)}:x`,
).join('\n');

test('a list of matches that cannot be shortened stays whole where there is room, and never where there is none', () => {
  expect(offload(list)).toBe(list);
  expect(countTokens(offload(list, 600))).toBeLessThan(900);
});

test('what looks like JSON and is only shown in part stands under a line that says so', () => {
  const tree = JSON.stringify(
    Object.fromEntries(rows.map(({ id, name }) => [`key${String(id)}`, name])),
    undefined,
    2,
  );
  expect(offload(tree, 600).split('\n')[0]).toContain('this is a preview, not the whole JSON');
});

const shorten = (text: string) =>
  shortenText({
    pointer: { tokens: countTokens(text), lines: text.split('\n').length, bytes: text.length },
    text,
    previewTokens: 600,
    countTokens,
  });

test('a text is shortened to the same bytes each time, and what was shortened is not shortened again', () => {
  const long = Array.from(
    { length: 3000 },
    (_line, index) => `words of line ${String(index)}, all`,
  );
  for (const text of [JSON.stringify(rows), JSON.stringify(rows, undefined, 2), long.join('\n')]) {
    const first = shorten(text);
    expect(first.shortened?.text).toContain('is kept nowhere');
    expect(shorten(text)).toEqual(first);
    expect(shorten(first.shortened?.text ?? '')).toEqual({});
  }
});

function prose(lines: number): string {
  return Array.from({ length: lines }, (_line, index) => {
    const word = String(index).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    return `words of line ${String(index)}, ${word}`;
  }).join('\n');
}

test('a text of no known kind is shortened only from 8,000 tokens on, and one of a known kind only if that is worth it', () => {
  expect(shorten(prose(1000))).toEqual({});
  expect(shorten(prose(2000)).kind).toBe('preview');
  expect(shorten(list)).toEqual({ kind: 'list of matches' });
});

test('a long line of a preview is cut between characters as people see them', () => {
  const family = '👨\u200d👩\u200d👧';
  const shown = offload(`:${family.repeat(80)}\n${prose(2000)}`);
  const [, line = ''] = shown.split('\n');
  expect(line).toContain(' more characters]');
  expect(line.slice(0, line.indexOf('…')).replaceAll(family, '')).toBe(':');
});
