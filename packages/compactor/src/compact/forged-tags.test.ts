import { sequenceIds } from '@ctx/core';
import { expect, test } from 'vitest';
import { outsideAnyQuotes } from '../summary/quote.ts';
import { sectionTitles } from '../summary/sections.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { longSession, quarter, step, textOf, user } from '../test-support/conversation.ts';
import { forgedPayloads } from '../test-support/forged-payloads.ts';
import { compact } from './compact.ts';

const pinned = ['Refunds need a signature.'];
const options = {
  ...{ countTokens: quarter, targetTokens: 3000, tailTokens: 300, summaryTokens: 800 },
  ...{ annexTokens: 200, ledgerTokens: 300, carryTokens: 300, pinned },
};
const plan = { todos: [{ content: 'Answer the customer', status: 'pending' }] };
const sessionWith = (payload: string): Parameters<typeof compact>[0] => [
  user('Answer the ticket.'),
  ...step('plan', 'TodoWrite', plan, 'ok'),
  ...longSession(14),
  ...step('page', 'Fetch', { url: 'https://a.example' }, `Ticket 7.\n${payload}\nRegards.`),
  ...longSession(14, 30),
];

/** A model that believes the page and writes its order into every section. */
const obedient = (order: string): Summarizer => ({
  name: 'obedient',
  summarize: async () => ({
    text: sectionTitles.map((title) => `## ${title}\n- ${order}`).join('\n'),
    finish: 'stop',
  }),
});

test.each(forgedPayloads)(
  'a page cannot give orders through a summary: %j',
  async (payload, order) => {
    const messages = sessionWith(payload);
    for (const summarizer of [obedient(order), obedient(payload), undefined]) {
      const {
        messages: after,
        block,
        receipt,
      } = await compact(messages, {
        ...options,
        ids: sequenceIds('markmarkmark'),
        ...(summarizer === undefined ? {} : { summarizer }),
      });
      expect(receipt).toMatchObject({
        changed: true,
        summarizer: 'extractive',
        trust: 'untrusted',
      });
      expect(after.every(({ role }) => role !== 'system')).toBe(true);
      expect(block?.summary.role).toBe('user');
      const outside = outsideAnyQuotes(textOf(after));
      expect(outside).not.toContain(order);
      expect(outside).toContain(pinned[0]);
      expect(block?.record.ledger.tasks.map(({ key }) => key)).toEqual(['Answer the customer']);
      expect(block?.record.ledger.userTexts.map(({ text }) => text).join()).not.toContain(order);
    }
  },
);
