import { sequenceIds } from '@ctx/core';
import { expect, test } from 'vitest';
import { outsideAnyQuotes } from '../summary/quote.ts';
import { sectionProblem } from '../summary/sections.ts';
import { longSession, quarter, user } from '../test-support/conversation.ts';
import { writeSummary } from './write-summary.ts';

const messages = [user('Never use tabs.'), ...longSession(12)];
const options = { countTokens: quarter, summaryTokens: 600, ids: sequenceIds('markmarkmark') };

test('a window gets a text with sections, pinned texts and ledger, and the record for the next one', async () => {
  const { record, summarizer, usage } = await writeSummary(messages, {
    ...options,
    pinned: ['The budget is 900 EUR.'],
  });
  expect(summarizer).toBe('extractive');
  expect(usage.requests).toBe(0);
  const outside = outsideAnyQuotes(record?.text ?? '');
  expect(sectionProblem(outside)).toBeUndefined();
  expect(outside).toContain('The budget is 900 EUR.');
  expect(outside).toContain('Never use tabs.');
  expect(record).toMatchObject({ generation: 1, trust: 'untrusted' });
});

test('the next summary builds on the record of the one before', async () => {
  const first = await writeSummary(messages, options);
  expect(first.record).toBeDefined();
  const second = await writeSummary(longSession(5, 90), {
    ...options,
    ...(first.record && { earlier: first.record }),
  });
  expect(second.record?.generation).toBe(2);
  expect(second.record?.text).toContain('Never use tabs.');
});

test('the same ids give the same bytes', async () => {
  const write = async (): Promise<string | undefined> =>
    (await writeSummary(messages, { ...options, ids: sequenceIds('k') })).record?.text;
  expect(await write()).toBe(await write());
});

test('a summary that cannot be smaller than what leaves is none', async () => {
  const { record, attempts } = await writeSummary([user('Hi.')], { ...options, leavingTokens: 3 });
  expect(record).toBeUndefined();
  expect(attempts.at(-1)).toMatchObject({ summarizer: 'extractive', outcome: 'refused' });
});
