import {
  approximateTokens,
  type HistoryEntry,
  memoryBackend,
  openStore,
  sequenceIds,
  sessionExtras,
} from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { extractive } from '../extractive/extractive.ts';
import { chain } from '../summary/chain.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { compactSession } from './compact-session.ts';
import { messagesOfEntries } from './messages-of-entries.ts';
import { summarizerOfSession } from './summarizer-of-session.ts';

const entry = (role: string, content: string, more: object = {}): HistoryEntry => ({
  timestamp: 1,
  role,
  content,
  ...more,
});

/** A long session: a goal, a rule, and much work. */
function longHistory(): HistoryEntry[] {
  const work = Array.from({ length: 100 }, (_, at) => [
    entry('assistant', `I look at module number ${String(at)} now.`),
    entry('tool', `src/module-${String(at)}.ts: ok\n${'line of log output\n'.repeat(60)}`),
  ]).flat();
  return [entry('user', 'Port the parser to TypeScript. Never touch the vendor folder.'), ...work];
}

async function compacted(summarizer?: Summarizer) {
  const store = await openStore(memoryBackend());
  await store.sessions.update('s', (session) => ({
    ...session,
    document: { ...session.document, recent_history: longHistory() },
  }));
  const given = summarizer && {
    summarizer: summarizerOfSession(summarizer, { ids: sequenceIds() }),
  };
  const { done } = await compactSession(store, 's', given ?? {});
  if (done === undefined) throw new Error('nothing was compacted');
  return done;
}

describe('messagesOfEntries', () => {
  it('makes a call and its result of what a tool said', () => {
    const messages = messagesOfEntries([
      entry('User', 'go'),
      entry('assistant', 'reading'),
      entry('TOOL', 'text', { name: 'read' }),
      entry('system', 'odd'),
      entry('tool', '  '),
    ]);
    expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual(
      [
        ['user', 'text'],
        ['assistant', 'text', 'tool_use'],
        ['user', 'tool_result'],
        ['assistant', 'tool_use'],
        ['user', 'tool_result'],
      ],
    );
  });
});

describe('a summariser of conversations in a session', () => {
  it('is the one without a model where the past is long, and keeps what the user ruled', async () => {
    const { compaction, session, refused } = await compacted();
    expect(refused).toEqual([]);
    expect(compaction.strategy).toBe('extractive');
    expect(compaction.summary).toContain('Never touch the vendor folder');
    expect(approximateTokens(compaction.summary)).toBeLessThanOrEqual(4000);
    expect(sessionExtras(session.document).summary_trust).toBe('untrusted');
    expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore);
  });

  it('gives way to the next of its chain where its answer is none', async () => {
    const calls: Summarizer = {
      name: 'calls',
      summarize: () => Promise.resolve({ text: '{"tool_use": "rm"}', finish: 'tool-call' }),
    };
    const { compaction } = await compacted(chain(calls, extractive()));
    expect(compaction.strategy).toBe('extractive');
    expect(compaction.summary).toContain('vendor folder');
  });

  it('gives way to the one without a model where nothing it says is accepted', async () => {
    const empty: Summarizer = {
      name: 'empty',
      summarize: () => Promise.resolve({ text: '', finish: 'stop' }),
    };
    const { compaction, refused } = await compacted(empty);
    expect(compaction.strategy).toBe('extractive');
    expect(refused).toEqual([
      'empty: ended with stop and no text',
      'empty: ended with stop and no text',
    ]);
  });
});
