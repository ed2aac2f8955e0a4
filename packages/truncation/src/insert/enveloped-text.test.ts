import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortenText } from './offload-text.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);

function shorten(text: string) {
  const pointer = { id: 'a', tokens: countTokens(text), lines: 1, bytes: text.length };
  return shortenText({ text, pointer, previewTokens: 600, countTokens });
}

const log = (special: ReadonlyMap<number, string>): string =>
  Array.from(
    { length: 400 },
    (_line, index) =>
      special.get(index) ?? `2026-01-01 10:00:00 INFO request ${String(index)} was served`,
  ).join('\n');

/** How agents and servers put the text of a result into JSON. */
const envelopes: readonly ((text: string) => unknown)[] = [
  (text) => ({ output: text, metadata: { exit_code: 1 } }),
  (text) => ({ stdout: text, stderr: '', exitCode: 1 }),
  (text) => ({ content: [{ type: 'text', text }], isError: false }),
  (text) => [{ type: 'text', text }],
  (text) => ({ result: { output: text } }),
];

test('every ERROR of a log is shown, whatever JSON the log stands in', () => {
  const places = fc.uniqueArray(fc.nat(399), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(places, fc.constantFrom(...envelopes), (at, envelope) => {
      const special = new Map(
        at.map((index) => [index, `2026-01-01 10:00:00 ERROR "order" ${String(index)} lost`]),
      );
      const { kind, shortened } = shorten(JSON.stringify(envelope(log(special))));
      expect(kind).toBe('log');
      expect(shortened?.text).toContain('\nno JSON, but the text of $');
      for (const line of special.values()) expect(shortened?.text).toContain(`\n${line}\n`);
    }),
  );
});

test('JSON that stands as a text in JSON is a table, with what stands around it', () => {
  const rows = Array.from({ length: 300 }, (_row, id) => ({
    id,
    state: id === 200 ? 'failed' : 'ok',
  }));
  const text = JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(rows) }] });
  const { kind, shortened } = shorten(text);
  expect(kind).toBe('JSON rows');
  expect(shortened?.text).toContain('{"content":[{"type":"text","text":""}]}');
  expect(shortened?.text).toContain('\n200 [200,"failed"]\n');
});

test('of a long text in JSON that is of no kind, both ends are shown as lines', () => {
  const words = Array.from({ length: 9000 }, (_line, index) => `<${(index * 7919).toString(36)}>`);
  words[0] = 'the first line';
  words[8999] = 'the last line';
  const { kind, shortened } = shorten(JSON.stringify({ output: words.join('\n') }));
  expect(kind).toBe('preview');
  expect(shortened?.text).toContain('\nthe first line\n');
  expect(shortened?.text).toContain('\nthe last line\n');
});

test('a short text in JSON stays as it is', () => {
  expect(shorten(JSON.stringify({ output: 'one\ntwo\nthree\nfour\nfive\nsix' }))).toEqual({});
});
