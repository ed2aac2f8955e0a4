import { encodeText, encodeValue, outputTextOfEncoded } from '@ctx/core/encoding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputWords, wordsOfOutput } from './output-words.ts';

const record = (body: string, columns: Record<string, string | number | null>) => ({
  key: ['t', 's', 'o'],
  version: 1,
  columns,
  body,
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
          outputWords(parts, searchedCharacters),
        );
      }),
    );
  });

  it('finds none in a record that cannot be read', () => {
    for (const body of ['', '{', '[]', 'null']) {
      expect(wordsOfOutput(record(body, { tool_name: 'x', searched_characters: 9 }))).toEqual({});
    }
  });
});
