import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from './well-formed.ts';

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\0', '\ud800', '\udc00', '\u241b', '0000', 'd800', '241b', 'D800'),
    ),
  )
  .map((parts) => parts.join(''));

test('leaves ordinary text as it is', () => {
  const text = 'Grüße, 世界 😀\n\t"quoted" \u0001';
  expect(encodeText(text)).toBe(text);
  expect(decodeText(text)).toBe(text);
});

test('escapes lone surrogates, U+0000 and its own sign', () => {
  expect(encodeText('a\0b\ud800c\udfffd\u241b')).toBe('a␛0000b␛d800c␛dfffd␛241b');
});

test('leaves escapes that it never writes', () => {
  for (const text of ['␛0041', '␛D800', '␛d7ff', '␛e000', '␛24', '␛']) {
    expect(decodeText(text)).toBe(text);
  }
});

test('turns any string into text that every store holds, and back', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const encoded = encodeText(text);
      expect(new TextDecoder().decode(new TextEncoder().encode(`.${encoded}`))).toBe(`.${encoded}`);
      expect(encoded).not.toContain('\0');
      expect(decodeText(encoded)).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});
