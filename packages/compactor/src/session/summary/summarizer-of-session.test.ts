import { type ContentBlock, sequenceIds, type ToolUseBlock, validateMessages } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import { openStore, sessionExtras } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, it } from 'vitest';
import { extractive } from '../../extractive/extractive.ts';
import { chain } from '../../summary/chain.ts';
import type { Summarizer } from '../../summary/summarizer.ts';
import { compactSession } from '../compact-session.ts';
import { messagesOfEntries } from './messages-of-entries.ts';
import { summarizerOfSession } from './summarizer-of-session.ts';

const entry = (role: string, content: string, more: object = {}): HistoryEntry => ({
  timestamp: 1,
  role,
  content,
  ...more,
});

const isCall = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';

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

describe('messagesOfEntries of entries that note their calls', () => {
  const noted = (id: string, input: unknown) => ({
    ...{ id, type: 'function' },
    function: { name: 'Read', arguments: JSON.stringify(input) },
  });
  const line = (input: unknown): string => `Read ${JSON.stringify(input)}`;

  it('makes them calls with their own results, and says nothing twice', () => {
    const [one, two] = [{ path: 'a.ts' }, { path: 'b.ts' }];
    const messages = messagesOfEntries([
      entry('user', 'Go.'),
      entry('assistant', `I look.\n${line(one)}\n${line(two)}`, {
        tool_calls: [noted('c1', one), noted('c2', two)],
      }),
      entry('tool', 'text of b', { tool_call_id: 'c2' }),
      entry('tool', 'text of a', { tool_call_id: 'c1' }),
      entry('assistant', 'Done.'),
    ]);
    expect(validateMessages(messages)).toEqual([]);
    expect(messages.slice(1).map(({ content }) => content)).toMatchObject([
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'c2', name: 'Read', input: two },
        { type: 'tool_use', id: 'c1', name: 'Read', input: one },
      ],
      [{ toolUseId: 'c2', content: [{ text: 'text of b' }] }, { toolUseId: 'c1' }],
      [{ type: 'text', text: 'Done.' }],
    ]);
  });

  it('leaves as text what nothing answers, answers late, twice, or is no call', () => {
    const input = { path: 'a.ts' };
    const messages = messagesOfEntries([
      entry('user', 'Go.'),
      entry('assistant', line(input), { tool_calls: [noted('c1', input), 7, { id: 'c9' }] }),
      entry('user', 'Wait.'),
      entry('tool', 'late', { tool_call_id: 'c1' }),
      entry('assistant', '', { tool_calls: [noted('c2', input)] }),
      entry('tool', 'once', { tool_call_id: 'c2' }),
      entry('assistant', 'again', { tool_calls: [noted('c2', input)] }),
      entry('tool', 'twice', { tool_call_id: 'c2' }),
      entry('assistant', 'odd', { tool_calls: 'none' }),
    ]);
    expect(validateMessages(messages)).toEqual([]);
    expect(messages[1]?.content).toEqual([{ type: 'text', text: line(input) }]);
    expect(messages.flatMap(({ content }) => content).filter(isCall)).toMatchObject([
      { id: 'entry-3' },
      { id: 'c2', input },
      { id: 'entry-7', input: {} },
    ]);
  });

  it('takes arguments as they come', () => {
    const [named, broken] = [
      { id: 'c1', name: 'Bash', input: { command: 'ls' } },
      { id: 'c2', function: { name: 'Bash', arguments: '{half' } },
    ];
    const messages = messagesOfEntries([
      entry('assistant', 'x', { tool_calls: [named, broken] }),
      entry('tool', 'a', { tool_call_id: 'c1' }),
      entry('tool', 'b', { tool_call_id: 'c2' }),
    ]);
    expect(messages.flatMap(({ content }) => content).filter(isCall)).toMatchObject([
      { id: 'c1', name: 'Bash', input: { command: 'ls' } },
      { id: 'c2', name: 'Bash', input: '{half' },
    ]);
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
