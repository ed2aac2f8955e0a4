import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countSlices } from './count-slices.ts';
import { defaultCutLimits } from './cut-runs.ts';
import { type EncodingName, loadEncoding, type Tokenizer } from './load-encoding.ts';
import { tiktokenCounter } from './tiktoken-counter.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const encodings: EncodingName[] = ['o200k_base', 'cl100k_base'];
const length = 40_000;
const repeated = (text: string): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Deterministic picks, so that a failure can be repeated. */
function picked(from: string): string {
  const signs = Array.from(from);
  let seed = 42;
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return signs[(seed >>> 8) % signs.length] ?? '';
  }).join('');
}

const hostile: Record<string, string> = {
  'one letter': repeated('a'),
  'one capital': repeated('A'),
  'one word': repeated('supercalifragilistic'),
  'random letters': picked('abcdefghijklmnopqrstuvwxyz'),
  spaces: repeated(' '),
  'spaces and then a word': `${repeated(' ')}word`,
  tabs: repeated('\t'),
  'no-break spaces': repeated('\u00a0'),
  'line ends': repeated('\n'),
  'spaces and line ends': repeated(' \n'),
  'slashes and line ends, one piece for o200k': repeated('/\n'),
  'signs and marks, one piece for both': repeated('!!\u0301'),
  'one sign': repeated('!'),
  'random signs': picked('!"#$%&*+,-./:;<=>?@[]^_{|}~'),
  'one Chinese character': repeated('中'),
  'Chinese text': repeated('我们认为这些真理是不言而喻的人人生而平等'),
  'Thai text': repeated('ภาษาไทยไม่มีช่องว่าง'),
  'Hindi text': repeated('नमस्तेदुनिया'),
  emoji: repeated('😀'),
  'emoji joined by zero-width joiners': repeated('👨‍👩‍👧‍👦'),
  'mathematical letters': repeated('𝒜𝒷'),
  'lone surrogates': repeated('\ud800'),
  'box drawing': repeated('═'),
  digits: repeated('7'),
  hex: picked('0123456789abcdef'),
  base64: picked('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
  'special tokens': repeated('<|endoftext|>'),
};

interface Work {
  readonly tokenizer: Tokenizer;
  /** Bytes that reached the tokenizer so far. */
  readonly bytes: () => number;
  /** Longest piece that it had to merge at once so far, bytes. */
  readonly longestPiece: () => number;
}

function watched(tokenizer: Tokenizer): Work {
  let bytes = 0;
  let longest = 0;
  const encode = (slice: string): Uint32Array => {
    bytes += Buffer.byteLength(slice);
    const pieces = slice.match(/[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+[\r\n/]*/gu) ?? [];
    for (const piece of pieces) longest = Math.max(longest, Buffer.byteLength(piece));
    return tokenizer.encode(slice);
  };
  return { tokenizer: { ...tokenizer, encode }, bytes: () => bytes, longestPiece: () => longest };
}

// One of them in `npm test`.
describe.each(share === 1 ? encodings : encodings.slice(0, 1))('counting with %s', (encoding) => {
  const tokenizer = loadEncoding(encoding);
  const count = tiktokenCounter(encoding);
  const sum = (text: string, by: Tokenizer = tokenizer): number =>
    [...countSlices(text, by)].reduce((total, slice) => total + slice.tokens, 0);

  test.each(Object.keys(hostile))('stays within 0.1 % of tiktoken on %s', (name) => {
    const text = hostile[name] ?? '';
    const exact = tokenizer.encode(text.slice(0, 4000)).length;
    expect(Math.abs(count(text.slice(0, 4000)) - exact)).toBeLessThanOrEqual(exact * 0.001);
  });

  test.each(Object.keys(hostile))('does linear work on %s, in pieces of bounded length', (name) => {
    const text = hostile[name] ?? '';
    const half = watched(tokenizer);
    const whole = watched(tokenizer);
    sum(text.slice(0, length / 2), half.tokenizer);
    sum(text, whole.tokenizer);
    expect(whole.longestPiece()).toBeLessThanOrEqual(defaultCutLimits.runBytes);
    expect(whole.bytes()).toBeLessThanOrEqual(2.1 * half.bytes() + 4096);
    expect(whole.bytes()).toBeLessThanOrEqual(2 * Buffer.byteLength(text) + 4096);
  });

  test('equals tiktoken on any text without long runs', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.lorem({ maxCount: 30 }),
      fc.json({ maxDepth: 2 }),
      fc.constantFrom('<|endoftext|>', "don't", '\r\n\r\n', '    ', '\ud800', '中文', '//\n'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join(' ');
        expect(count(text)).toBe(tokenizer.encode(text).length);
      }),
      { numRuns: 300 * share },
    );
  });

  test('equals tiktoken on source code many slices long', () => {
    const text = readFileSync(new URL(import.meta.url), 'utf8').repeat(30);
    expect([...countSlices(text, tokenizer)].length).toBeGreaterThan(5);
    expect(count(text)).toBe(tokenizer.encode(text).length);
  });

  test('counts special tokens as the text they are', () => {
    for (const special of ['<|endoftext|>', '<|fim_prefix|>', '<|endofprompt|>']) {
      expect(count(special)).toBeGreaterThan(1);
    }
  });
});

test('the last slice ends where the text ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(3000), (text, times) => {
      const whole = `${text}${'x'.repeat(times)}${text}`;
      const ends = [...countSlices(whole, loadEncoding('o200k_base'))].map((slice) => slice.end);
      expect(ends.at(-1) ?? 0).toBe(whole.length);
    }),
  );
});
