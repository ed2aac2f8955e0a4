import { idInUrl } from '@ctx/server/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOfUrl } from '../api/id-of-url.ts';
import { commandText, sessionCommand, shellWord } from './controls/commands.tsx';
import { costOf } from './request-cost.ts';
import {
  bytesText,
  countedText,
  countText,
  durationText,
  removedText,
  shareText,
  shortText,
} from './text/format.ts';
import { piecesAround } from './text/found-text.tsx';
import { windowParts } from './text/kinds.ts';
import { visibleText } from './text/plain-text.tsx';

describe('what the parts write', () => {
  it('numbers take the room that they say', () => {
    expect([countText(12_345.4), shortText(999), shortText(12_345), shortText(1_234_567)]).toEqual([
      '12,345',
      '999',
      '12.3k',
      '1.2M',
    ]);
    expect([shareText(1, 8), shareText(1, 0), bytesText(2048), durationText(7_300_000)]).toEqual([
      '12.5%',
      '0.0%',
      '2.0 KB',
      '2 h',
    ]);
  });

  it('one of a kind has its name without an s', () => {
    expect([countedText(1, 'line'), countedText(1287, 'line'), countedText(0, 'tool')]).toEqual([
      '1 line',
      '1,287 lines',
      '0 tools',
    ]);
  });

  it('a share that is hardly there is not none', () => {
    expect([shareText(31, 64_000), shareText(1, 64_000), shareText(32, 64_000)]).toEqual([
      '<0.1%',
      '<0.1%',
      '0.1%',
    ]);
  });

  it('a request costs little for what the cache held, and more for what is written to it', () => {
    const sizes = { tokens: 1000, predictedTokens: 600 };
    expect(costOf(sizes)).toBeCloseTo(600 * 0.1 + 400 * 1.25);
    const reported = { inputTokens: 2000, cachedTokens: 0 };
    expect(costOf({ ...sizes, tokens: 2000, reported })).toBeCloseTo(2500);
  });

  it('words that are looked for are marked as they stand, whatever signs they have', () => {
    expect(piecesAround('a.b axb A.B', 'a.b')).toEqual(['', 'a.b', ' axb ', 'A.B', '']);
    expect(piecesAround('f(x) or [y]', ' (x)  [y] ')).toEqual(['f', '(x)', ' or ', '[y]', '']);
    expect(piecesAround('text', ' ')).toEqual(['text']);
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, q) => {
        expect(piecesAround(text, q).join('')).toBe(text);
      }),
    );
  });

  it('signs that cannot be seen have a name', () => {
    expect(visibleText('a\u202eb\u0000c\u001b[31m')).toBe('a⟨202E⟩b⟨0000⟩c⟨001B⟩[31m');
    expect(visibleText('line\r\n\tnext')).toBe('line\n\tnext');
  });

  it('any id goes into an address and comes back', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        expect(idOfUrl(idInUrl(id))).toBe(id);
      }),
    );
  });

  it('a word of a command is one word for a shell', () => {
    expect(shellWord("it's $(here)")).toBe("'it'\\''s $(here)'");
  });

  it('what left is a count, also where a compaction left more than there was', () => {
    expect([removedText(6620, 6220), removedText(6220, 6620)]).toEqual(['400', 'none, 400 more']);
  });

  it('a command names the store that it needs, and a home folder is left to the shell', () => {
    const store = 'sqlite:/my data/x.db';
    expect(commandText(['import', '~/.claude/projects'], { store })).toBe(
      "ctx import --store 'sqlite:/my data/x.db' ~/.claude/projects",
    );
    expect(commandText(['why', 's'])).toBe('ctx why s');
  });

  it('a command is called as the server was started: npm start leaves no ctx on the PATH', () => {
    expect(commandText(['why', 'a b'], { call: 'npm run ctx --' })).toBe(
      "npm run ctx -- why 'a b'",
    );
  });

  it('an id that looks like an option stands where a command reads no options', () => {
    expect(['s', '-s'].map((id) => commandText(sessionCommand('why', id, ['--at', '2'])))).toEqual([
      'ctx why s --at 2',
      'ctx why --at 2 -- -s',
    ]);
  });

  it('system prompt, tools and memory stand apart where that is known', () => {
    const sizes = { kinds: [], tokens: 100, limitTokens: 150, windowTokens: 200 };
    const fixed = { system: 40, tools: [{ name: 'Grep', tokens: 30 }] };
    const namesOf = (view: Parameters<typeof windowParts>[0]) =>
      windowParts(view)
        .filter(({ tone }) => tone === 'fixed')
        .map(({ name, value }) => [name, value]);
    expect(namesOf({ ...sizes, fixedTokens: 100, fixed })).toEqual([
      ['system prompt', 40],
      ['tools', 30],
      ['memory', 30],
    ]);
    expect(namesOf({ ...sizes, fixedTokens: 100 })).toEqual([['system and tools', 100]]);
  });

  it('the parts of a window sum up to the window', () => {
    const sizes = fc.record({
      fixedTokens: fc.nat(1000),
      user: fc.nat(5000),
      result: fc.nat(5000),
    });
    fc.assert(
      fc.property(sizes, ({ fixedTokens, user, result }) => {
        const kinds = [
          { kind: 'user' as const, segments: 1, tokensBefore: user, tokensAfter: user },
          { kind: 'result' as const, segments: 1, tokensBefore: result, tokensAfter: result },
        ];
        const tokens = fixedTokens + user + result;
        const parts = windowParts({
          kinds,
          fixedTokens,
          tokens,
          limitTokens: 14_000,
          windowTokens: 16_000,
        });
        expect(parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(16_000);
      }),
    );
  });

  it('the parts of a window are rounded as ctx status rounds them', () => {
    const sizes = { user: 39.6, assistant: 539.8, call: 1262.7, result: 92_221.9 } as const;
    const parts = windowParts({
      kinds: Object.entries(sizes).map(([kind, tokens]) => ({
        kind: kind as keyof typeof sizes,
        ...{ segments: 1, tokensBefore: tokens, tokensAfter: tokens },
      })),
      ...{ fixedTokens: 453, tokens: 94_517, limitTokens: 167_999, windowTokens: 200_000 },
    });
    const values = parts.slice(1, 5).map(({ value }) => value);
    expect(values).toEqual([39, 539, 1262, 92_224]);
  });
});
