import { type HistoryEntry, openStore, sessionExtras } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractive } from '../extractive/extractive.ts';
import { compactSession } from './compact-session.ts';
import { summarizerOfSession } from './summary/summarizer-of-session.ts';
import { undoSessionCompaction } from './undo-session-compaction.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

/** Signs of several code units, of several code points, of no width, and what looks like the marks of a summary. */
const signs = [
  ...[
    '👩‍👩‍👧‍👦',
    '🏳️‍🌈',
    '🇩🇪',
    '数据库',
    'e\u0301',
    'Z͑ͫ̓ͪ̂ͫ̽',
    'ﷺ',
    '\u200d',
    '\u202e',
    '\0',
    '\n',
    'word ',
    'a',
  ],
  ...[
    '<<<data x',
    'data x>>>',
    '## Goal\n',
    '\n- user: ',
    'Previous conversation summary:\n',
    '```',
  ],
  ...['never do it. ', 'Rules of the user, word for word:\n- '],
];
const lone = ['\ud83d', '\udc69'];

const anyText = (all: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.array(fc.constantFrom(...all), { maxLength: 60 }).map((each) => each.join('')),
    },
    fc
      .tuple(fc.constantFrom(...all), fc.integer({ min: 500, max: 4000 }))
      .map(([sign, count]) => sign.repeat(count)),
  );

const roles = ['user', 'User', 'assistant', 'ASSISTANT', 'tool', 'Tool', 'system', 'système', ''];

const anyHistory = (all: readonly string[]): fc.Arbitrary<HistoryEntry[]> =>
  fc.array(
    fc
      .record({ role: fc.constantFrom(...roles), content: anyText(all), counted: fc.boolean() })
      .map(({ role, content, counted }) => ({
        ...{ timestamp: 1, role, content },
        ...(counted ? { token_count: approximateTokens(content) } : {}),
      })),
    { minLength: 20, maxLength: 90 },
  );

const anyPolicy = fc.record({
  summaryTokens: fc.constantFrom(50, 120, 1000, 4000),
  maxTokens: fc.constantFrom(1, 300, 5000, 100_000),
  previewTokens: fc.constantFrom(1, 7, 200),
});

const pinned = 'Pinned: never 数据库 👩‍👩‍👧‍👦!';

test.each([
  ['well-formed', signs],
  ['halved', [...signs, ...lone]],
] as const)(
  'whatever a session holds (%s text), its compaction fits, is done once and can be undone',
  async (kind, all) => {
    const any = fc.record({
      history: anyHistory(all),
      policy: anyPolicy,
      extracts: fc.boolean(),
      rounds: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ history, policy, extracts, rounds }) => {
        const store = await openStore(memoryBackend(), { clock: () => 1_708_740_000_000 });
        await store.sessions.memory('s').addFact({ text: pinned, source: 'user', pinned: true });
        const options = extracts
          ? { policy, summarizer: summarizerOfSession(extractive()) }
          : { policy };
        let before = '';
        for (let round = 0; round < rounds; round += 1) {
          await store.sessions.memory('s').append(history);
          const start = await store.sessions.export('s');
          const { done } = await compactSession(store, 's', options);
          before = done === undefined ? '' : start;
          expect((await compactSession(store, 's', options)).plan).toBeUndefined();
          const session = await store.sessions.get('s');
          if (session === undefined) throw new Error('the session is gone');
          const { document } = session;
          expect(approximateTokens(document.long_term_summary)).toBeLessThanOrEqual(
            policy.summaryTokens,
          );
          expect(document.facts).toEqual([pinned]);
          const first = history.find(({ role }) => role.toLowerCase() === 'user');
          const staying = [...sessionExtras(document).pinned_history, ...document.recent_history];
          const isKept = staying.some(
            (one) => one.content === first?.content || 'offloaded_to' in one,
          );
          expect(first === undefined || isKept).toBe(true);
          if (kind === 'well-formed')
            expect(JSON.stringify(document)).not.toMatch(/\\ud[89a-f]|\ufffd/);
        }
        if (before === '') return;
        await undoSessionCompaction(store, 's');
        expect(JSON.parse(await store.sessions.export('s'))).toEqual(JSON.parse(before));
      }),
      { numRuns: 25 * share },
    );
  },
  60_000,
);
