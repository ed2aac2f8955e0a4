import { sequenceIds } from '@ctx/core';
import { expect, test } from 'vitest';
import { writeSummary } from '../compact/write-summary.ts';
import { earlierBlocks } from '../extractive/compose/earlier-blocks.ts';
import { model, type SummaryPrompt } from '../model/model.ts';
import { summarizerOfSession } from '../session/summary/summarizer-of-session.ts';
import { longSession, quarter, user } from '../test-support/conversation.ts';
import { chain } from './chain.ts';
import { checkSections } from './sections.ts';

const sections = ['Goal', 'Risks', 'Hand-over'];
const own = '## Goal\n- fix the login\n## Risks\n- sessions expire\n## Hand-over\n- run the tests';
const messages = [user('Never use tabs. Fix the login.'), ...longSession(12)];
const options = { countTokens: quarter, summaryTokens: 600, ids: sequenceIds('markmarkmark') };

test("a model writes a team's own sections, and is asked for no others", async () => {
  const asked: SummaryPrompt[] = [];
  const summarizer = model(
    async (prompt) => {
      asked.push(prompt);
      return own;
    },
    { sections },
  );
  const written = await writeSummary(messages, { ...options, summarizer });
  expect(written.summarizer).toBe('function');
  expect(written.record?.text.startsWith(own)).toBe(true);
  expect(written.record?.text).toContain('Never use tabs.');
  expect(asked[0]?.system).toContain('## Goal\n## Risks\n## Hand-over\n');
  expect(asked[0]?.system).not.toContain('Progress');
});

test("a summary without a section of the team's is refused, and the next summariser is held to its own", async () => {
  const without = model(async () => own.replace('## Risks', '## Dangers'), { sections });
  const { attempts, summarizer } = await writeSummary(messages, {
    ...options,
    summarizer: chain(without),
  });
  expect(attempts[0]?.problems[0]?.detail).toBe('section "Risks" stands 0 times');
  expect(summarizer).toBe('extractive');
});

test("the summary of a session may have a team's own sections, too", async () => {
  const summarizer = summarizerOfSession(model(async () => own, { sections }));
  const entries = longSession(12).map((_, index) => ({
    timestamp: 1_000 + index,
    role: 'user' as const,
    content: `Request ${index} about the login of the page and what its tests say. `.repeat(4),
    token_count: 40,
  }));
  const { text } = await summarizer.summarize(
    { previous: '', entries },
    { maxTokens: 2000, countTokens: quarter },
  );
  expect(text.startsWith(own)).toBe(true);
});

test("what stands behind a title of the team's is not taken for the user's goal in the next compaction", () => {
  const kinds = earlierBlocks(own, 0).map(({ kind, lines }) => [lines[0], kind]);
  expect(kinds).toContainEqual(['fix the login', 'user']);
  expect(kinds).toContainEqual(['sessions expire', 'progress']);
});

test.each([
  ['none', []],
  ['too many', Array.from({ length: 31 }, (_, index) => `Title ${index}`)],
  ['a title twice', ['Goal', 'goal']],
  ['a title with marks', ['# Goal']],
  ['a title with a closing colon', ['Goal:']],
  ['a title of two lines', ['Goal\nRisks']],
  ['an empty title', ['']],
  ['a title that is too long', ['x'.repeat(101)]],
])('%s: refused when the summariser is made', (_, given) => {
  expect(() => model(async () => own, { sections: given })).toThrow(/^sections: /);
});

test('titles of one word, of several words and of other scripts are taken as they are', () => {
  const titles = ['A', 'Key facts', 'Nächste Schritte', '次'];
  expect(checkSections(titles)).toEqual(titles);
});

test('what is no model is refused when the summariser is made', () => {
  // @ts-expect-error A program without types may hand in the name of a model.
  expect(() => model('gpt-5')).toThrow('a model of the AI SDK or an async function is needed');
});
