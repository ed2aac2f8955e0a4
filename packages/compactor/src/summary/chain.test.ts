import { expect, test } from 'vitest';
import { extractive } from '../extractive/extractive.ts';
import { buildLedger } from '../ledger/build-ledger.ts';
import { quarter, user } from '../test-support/conversation.ts';
import { chain, membersOf } from './chain.ts';
import type { Summarizer, SummaryRequest } from './summarizer.ts';

const messages = [user('Fix the login.')];
const request: SummaryRequest = {
  messages,
  ledger: buildLedger(messages, { countTokens: quarter }),
  maxTokens: 500,
  countTokens: quarter,
  mark: 'm',
};
const throws: Summarizer = {
  name: 'throws',
  summarize: async () => {
    throw new Error('no network');
  },
};
const silent: Summarizer = {
  name: 'silent',
  summarize: async () => ({ text: ' ', finish: 'stop' }),
};

test('used alone, a chain takes the first that finishes with a text', async () => {
  const summarizer = chain(throws, silent, extractive());
  expect(summarizer.name).toBe('throws → silent → extractive');
  expect((await summarizer.summarize(request)).text).toContain('Fix the login.');
});

test('chains of chains are one chain', () => {
  const names = membersOf(chain(chain(throws, silent), extractive())).map(({ name }) => name);
  expect(names).toEqual(['throws', 'silent', 'extractive']);
});

test('where all fail the last error is the cause, and a chain of nothing is refused', async () => {
  await expect(chain(silent, throws).summarize(request)).rejects.toMatchObject({
    code: 'CTX_NOT_FOUND',
    cause: { message: 'no network' },
  });
  expect(() => chain()).toThrow('a chain needs a summariser');
});
