import { CtxError } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens as countTokens } from '@ctx/tokens/approximate';
import { describe, expect, test } from 'vitest';
import * as compactor from './index.ts';
import { user } from './test-support/conversation.ts';

const messages = [user('Port the parser.')];
const summarizing = { countTokens, maxTokens: 500, mark: 'k3J9xQa81zLm' };

/** Calls an entry point as JavaScript does, where no type is in the way. */
async function call(name: keyof typeof compactor, ...given: readonly unknown[]): Promise<unknown> {
  const result: unknown = await Reflect.apply(compactor[name] as () => unknown, null, given);
  return result;
}

const names = ['compact', 'extractSummary', 'extractAnnex', 'writeSummary', 'buildLedger'] as const;
const argumentsOf = (name: string, first: unknown, options?: unknown): unknown[] =>
  name === 'extractAnnex' ? [first, '', options] : [first, options];

describe.each(names)('%s says what is wrong with its arguments', (name) => {
  test.each([
    ['no options', messages, undefined, 'countTokens must be a function, got undefined'],
    ['no counter', messages, { countTokens: 4 }, 'countTokens must be a function, got number'],
    ['no messages', undefined, summarizing, 'messages must be a list, got undefined'],
    ['a text', 'hello', summarizing, 'messages must be a list, got string'],
    ['null', [null], summarizing, 'messages[0] needs a role and a list of blocks'],
    [
      'another form',
      [...messages, { role: 'user', content: 'hello' }],
      summarizing,
      'messages[1] needs a role and a list of blocks as content, got string',
    ],
  ])('%s', async (_what, first, options, words) => {
    await expect(call(name, ...argumentsOf(name, first, options))).rejects.toThrow(words);
    await expect(call(name, ...argumentsOf(name, first, options))).rejects.toBeInstanceOf(CtxError);
  });
});

describe.each(['compactSession', 'undoSessionCompaction'] as const)(
  '%s asks for a store',
  (name) => {
    test.each([
      ['nothing', undefined, 'undefined'],
      ['the promise of a store', Promise.resolve({}), 'object'],
      ['the id alone', 'session-1', 'string'],
    ])('got %s', async (_what, store, kind) => {
      await expect(call(name, store, 'session-1')).rejects.toMatchObject({
        code: 'CTX_INVALID_INPUT',
        message: expect.stringContaining(`store must be an open store, got ${kind}`) as string,
      });
    });
  },
);

test.each<[keyof typeof compactor, readonly unknown[], string]>([
  ['summaryMessage', [], 'a record needs a text'],
  ['summaryMessage', [{ text: 'x' }], 'a record needs a text'],
  ['extractSummary', [messages, { ...summarizing, maxTokens: Number.NaN }], 'maxTokens must be a'],
  ['extractSummary', [messages, { ...summarizing, maxTokens: '8k' }], 'maxTokens must be a number'],
  ['extractAnnex', [messages, undefined, summarizing], 'text must be a string, got undefined'],
  ['compact', [messages, { countTokens, pinned: 'x' }], 'pinned must be a list of texts'],
  ['compact', [messages, { countTokens, summarizer: () => 'x' }], 'got function: wrap a function'],
  ['compact', [messages, { countTokens, timeoutMs: Number.NaN }], 'timeoutMs must be above 0'],
  ['compact', [messages, { countTokens, timeoutMs: Infinity }], 'at most 2147483647, got Infinity'],
  ['writeSummary', [messages, { countTokens, timeoutMs: -1 }], 'timeoutMs must be above 0'],
  [
    'compactSession',
    [await openStore(memoryBackend()), 's', { timeoutMs: '7' }],
    'timeoutMs must be above 0 and at most',
  ],
  ['model', [async () => 'x', { chunkTokens: Number.NaN }], 'chunkTokens must be a number from 0'],
  ['model', [async () => 'x', { extraOutputTokens: -1 }], 'extraOutputTokens must be a number'],
  ['chain', [() => 'x'], 'got function: wrap a function'],
  ['summarizerOfSession', [], 'a summariser with a method summarize is needed, got undefined'],
  ['planSessionCompaction', [{}, { countTokens }], 'recent_history must be a list'],
  ['planSessionCompaction', [{}], 'countTokens must be a function'],
])('%s is told about a wrong value: %#', async (name, given, words) => {
  await expect(call(name, ...given)).rejects.toThrow(words);
});

test('null in place of options is as none', () => {
  const given = compactor.extractive(null as never);
  expect(given.name).toBe('extractive');
  expect(compactor.summarizerOfSession(given, null as never).name).toBe('extractive');
});
