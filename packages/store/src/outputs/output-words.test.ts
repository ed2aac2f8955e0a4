import { encodeText, encodeValue, outputTextOfEncoded } from '@ctx/core/encoding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOfOutput } from '../collections/record-words.ts';
import { outputWords, wordsOfText } from './output-words.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const record = (body: string, columns: Record<string, string | number | null>) => ({
  key: ['t', 's', 'o'],
  version: 1,
  columns,
  body,
});

const outputOfText = (resultText: string, searchedCharacters = Number.MAX_SAFE_INTEGER) =>
  outputWords({ toolName: 't', argsJson: '{}', resultText }, searchedCharacters);

describe('outputWords', () => {
  it('finds every word of a text that is split in pieces, and cuts none in two', () => {
    const filler = 'all of it is the same '.repeat(40);
    const lines = Array.from({ length: 2_500 }, (_, at) => `n${String(at + 10)} ${filler}`);
    const { words, isWhole } = outputOfText(lines.join(''));
    const numbers = words.body.split(' ').filter((word) => /^\d/.test(word));
    expect(isWhole).toBe(true);
    expect(new Set(numbers)).toEqual(new Set(lines.map((_, at) => String(at + 10))));
  });

  it('says of a text that goes on after the searched characters, or has too many different words, that it is not whole', () => {
    expect(outputOfText('one two', 7).isWhole).toBe(true);
    expect(outputOfText('one two', 6).isWhole).toBe(false);
    const many = Array.from({ length: 5_000 }, (_, at) => String(at + 10)).join(' ');
    expect([wordsOfText(many).isWhole, wordsOfText(many, 3_000).isWhole]).toEqual([true, false]);
  });
});

describe('wordsOfOutput', () => {
  it('finds in a stored record the words that its call and result would have given at once', () => {
    const inputs = fc.record({
      toolName: fc.string({ unit: 'binary' }),
      args: fc.anything(),
      result: fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 40 }), fc.anything()),
      searchedCharacters: fc.nat({ max: 300 }),
    });
    fc.assert(
      fc.property(inputs, ({ toolName, args, result, searchedCharacters }) => {
        const argsJson = JSON.stringify(encodeValue(args));
        const encoded = encodeValue(result);
        const parts = { toolName, argsJson, resultText: outputTextOfEncoded(encoded) };
        const body = `{"args":${argsJson},"result":${JSON.stringify(encoded)}}`;
        const columns = {
          tool_name: encodeText(toolName),
          searched_characters: searchedCharacters,
        };
        expect(wordsOfOutput(record(body, columns))).toEqual(
          outputWords(parts, searchedCharacters).words,
        );
      }),
      { numRuns: 100 * share },
    );
  });

  it('finds none in a record that cannot be read', () => {
    for (const body of ['', '{', '[]', 'null']) {
      expect(wordsOfOutput(record(body, { tool_name: 'x', searched_characters: 9 }))).toEqual({});
    }
  });
});
