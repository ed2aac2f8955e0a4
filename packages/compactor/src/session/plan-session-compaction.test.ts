import {
  emptySessionDocument,
  type HistoryEntry,
  type SessionDocument,
  sessionExtras,
  withExtras,
} from '@ctx/store';
import { approximateTokens } from '@ctx/tokens/approximate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactedDocument } from './compacted-document.ts';
import { type PlanSessionOptions, planSessionCompaction } from './plan-session-compaction.ts';
import { defaultSessionCompactionPolicy } from './session-compaction-policy.ts';
import type { EntryPlace } from './shrink-history.ts';

const now = 1_708_740_000_000;
const options: PlanSessionOptions = { countTokens: approximateTokens, now };

function entry(role: string, content: string, tokens?: number): HistoryEntry {
  return { timestamp: 1, role, content, ...(tokens === undefined ? {} : { token_count: tokens }) };
}

/** `count` messages of user and assistant in turn, as in the seed's example. */
function chat(count: number, tokens?: number): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    return entry(role, `Message ${String(index + 1)}`, tokens);
  });
}

function documentOf(recent_history: readonly HistoryEntry[]): SessionDocument {
  return { ...emptySessionDocument('s'), recent_history };
}

const plan = (document: SessionDocument, more: Partial<PlanSessionOptions> = {}) =>
  planSessionCompaction(document, { ...options, ...more });

function stubFor(document: SessionDocument, { list, index }: EntryPlace) {
  const lists = {
    history: document.recent_history,
    pinned: sessionExtras(document).pinned_history,
  };
  const role = lists[list][index]?.role ?? '';
  return { ...entry(role, 'stub', 2), offloaded_to: 'x' };
}

/** The document after the plan, with a summary that says how many left. */
function after(document: SessionDocument, more: Partial<PlanSessionOptions> = {}): SessionDocument {
  const planned = plan(document, more);
  if (planned === undefined) return document;
  const stubs = planned.offload.map((place) => ({
    place,
    stub: stubFor(document, place),
  }));
  const { keepFinishedMs } = defaultSessionCompactionPolicy;
  const summary = planned.start === 0 ? undefined : `${String(planned.start)} left`;
  const { start } = planned;
  return compactedDocument(document, { start, summary, stubs, rules: [], now, keepFinishedMs });
}

describe('planSessionCompaction by entries', () => {
  it('leaves 50 entries alone', () => {
    expect(plan(documentOf(chat(50)))).toBeUndefined();
  });

  it('keeps the newest 30 of 51, and the first message of the user word for word', () => {
    const document = after(documentOf(chat(51, 5)));
    expect(document.recent_history).toEqual(chat(51, 5).slice(21));
    expect(document.long_term_summary).toBe('21 left');
    expect(sessionExtras(document).pinned_history).toEqual([chat(51, 5)[0]]);
  });

  it('keeps the current message of the user word for word, however much the agent did since', () => {
    const work = Array.from({ length: 60 }, (_, index) =>
      entry('assistant', `step ${String(index)}`),
    );
    const first = entry('USER', 'first wish');
    const current = entry('User', 'second wish');
    const document = after(documentOf([first, entry('assistant', 'done'), current, ...work]));
    expect(document.recent_history).toHaveLength(30);
    expect(sessionExtras(document).pinned_history).toEqual([first, current]);
  });

  it('lets a message go that is no longer the current one, and keeps the first for good', () => {
    const work = Array.from({ length: 60 }, () => entry('assistant', 'step'));
    const once = after(documentOf([entry('user', 'one'), entry('user', 'two'), ...work]));
    const grown = {
      ...once,
      recent_history: [...once.recent_history, entry('user', 'three'), ...work],
    };
    const contents = sessionExtras(after(grown)).pinned_history.map(({ content }) => content);
    expect(contents).toEqual(['one', 'three']);
  });

  it('parts no call from its results', () => {
    const turn = [entry('assistant', 'call'), entry('tool', 'a'), entry('tool', 'b')];
    const history = [entry('user', 'go'), ...Array.from({ length: 20 }, () => turn).flat()];
    const document = after(documentOf(history));
    expect(document.recent_history[0]?.role).toBe('assistant');
    expect(document.recent_history).toHaveLength(30);
    const uneven = after(documentOf([...history, entry('assistant', 'call'), entry('tool', 'c')]));
    expect(uneven.recent_history[0]?.role).toBe('assistant');
    expect(uneven.recent_history).toHaveLength(29);
  });

  it('leaves a single call with hundreds of results whole', () => {
    const results = Array.from({ length: 300 }, () => entry('tool', 'x'));
    expect(plan(documentOf([entry('assistant', 'call'), ...results]))).toBeUndefined();
  });

  it('cuts to 30 also below 51 where a person asks for it', () => {
    expect(plan(documentOf(chat(40)), { isManual: true })).toMatchObject({
      trigger: 'manual',
      start: 10,
      keeps: 30,
    });
    expect(plan(documentOf(chat(30)), { isManual: true })).toBeUndefined();
  });
});

describe('planSessionCompaction by tokens', () => {
  it('takes the oldest half away over 100,000 tokens', () => {
    expect(plan(documentOf(chat(40, 2500)))).toBeUndefined();
    expect(plan(documentOf(chat(40, 2501)))).toMatchObject({ trigger: 'tokens', start: 20 });
  });

  it('counts the tokens of entries that carry none', () => {
    const text = 'word '.repeat(6000);
    const history = chat(20).map((one) => ({ ...one, content: text }));
    expect(plan(documentOf(history))).toMatchObject({ trigger: 'tokens', start: 10, fits: true });
  });

  it('goes on until it fits', () => {
    const planned = plan(documentOf(chat(50, 10_000)));
    expect(planned?.start).toBe(43);
    expect(planned?.historyTokens).toBeLessThanOrEqual(100_000);
  });

  it('offloads an entry that is larger than all may be, and keeps the rest', () => {
    const history = [...chat(4, 10), entry('tool', 'x'.repeat(900_000)), ...chat(1, 10)];
    expect(plan(documentOf(history))).toMatchObject({
      start: 0,
      offload: [{ list: 'history', index: 4 }],
      fits: true,
    });
  });

  it('offloads the only message where it is too large, and then finds nothing more to do', () => {
    const document = after(documentOf([entry('user', 'x'.repeat(900_000), 300_000)]));
    expect(document.recent_history).toEqual([{ ...entry('user', 'stub', 2), offloaded_to: 'x' }]);
    expect(plan(document)).toBeUndefined();
  });

  it('offloads a pinned message that alone is too large', () => {
    const history = [entry('user', 'x', 150_000), ...chat(60, 10)];
    const document = after(documentOf(history));
    expect(sessionExtras(document).pinned_history[0]?.token_count).toBe(2);
    expect(plan(document)).toBeUndefined();
  });

  it('says so where nothing more can be done, and names the biggest', () => {
    const results = Array.from({ length: 9 }, () => entry('tool', 'x', 250));
    const history = [entry('assistant', 'call', 250), ...results];
    const policy = { maxTokens: 1000 };
    const planned = plan(documentOf([entry('user', 'u', 5), ...history]), { policy });
    expect(planned).toMatchObject({ start: 1, fits: false });
    expect(planned?.biggest).toHaveLength(3);
  });

  it('writes a summary anew that is over its cap', () => {
    const document = { ...documentOf([]), long_term_summary: 'word '.repeat(6000) };
    expect(plan(document)).toMatchObject({ trigger: 'tokens', shortensSummary: true });
  });
});

describe('planSessionCompaction of facts and tasks', () => {
  const hour = 3600;
  const task = (status: string, hoursAgo: number) => ({
    id: status,
    status,
    updated_at: now / 1000 - hoursAgo * hour,
  });

  it('drops facts that another one says', () => {
    const document = { ...documentOf([]), facts: ['B', 'a', 'b.', 'A'] };
    expect(plan(document)).toMatchObject({ trigger: 'facts', factsDropped: ['b.', 'A'] });
    expect(after(document).facts).toEqual(['B', 'a']);
  });

  it('prunes tasks that ended 24 hours ago, in any letter case', () => {
    const active_tasks = [task('Running', 900), task('COMPLETED', 24), task('failed', 23)];
    const document = { ...documentOf([]), active_tasks };
    expect(plan(document)).toMatchObject({ trigger: 'tasks', tasksPruned: [active_tasks[1]] });
    expect(after(document).active_tasks).toEqual([active_tasks[0], active_tasks[2]]);
  });
});

describe('any compaction', () => {
  const roles = ['user', 'assistant', 'tool', 'User', 'TOOL', 'system'];
  const anyEntry = fc
    .record({
      role: fc.constantFrom(...roles),
      content: fc.string({ unit: 'grapheme', maxLength: 40 }),
      tokens: fc.option(fc.nat(60_000), { nil: undefined }),
    })
    .map(({ role, content, tokens }) => entry(role, content, tokens));
  /** A fact as a session of a store holds it. */
  const withFact = (document: SessionDocument, text: string): SessionDocument => {
    const isNew = !document.facts.includes(text);
    const note = { text, recorded_at: now / 1000, source: 'user', trust: 'trusted' } as const;
    const notes = [...sessionExtras(document).fact_notes, { ...note, pinned: true }];
    const next = isNew ? { ...document, facts: [...document.facts, text] } : document;
    return isNew && text === 'A' ? withExtras(next, { fact_notes: notes }) : next;
  };
  const anyDocument = fc
    .record({
      history: fc.array(anyEntry, { maxLength: 120 }),
      facts: fc.array(fc.constantFrom('a', 'A', 'b', 'c!', 'c')),
    })
    .map(({ history, facts }) =>
      facts.reduce((document, text) => withFact(document, text), documentOf(history)),
    );

  it('leaves nothing to do for a second one, loses no pin, and cuts between units only', () => {
    fc.assert(
      fc.property(anyDocument, fc.boolean(), (document, isManual) => {
        const compacted = after(document, { isManual });
        expect(plan(compacted, { isManual })).toBeUndefined();
        const first = document.recent_history.find(({ role }) => role.toLowerCase() === 'user');
        const staying = [...sessionExtras(compacted).pinned_history, ...compacted.recent_history];
        const isThere = (one: HistoryEntry): boolean =>
          staying.some(
            ({ content, role }) =>
              role === one.role && (content === one.content || content === 'stub'),
          );
        if (first !== undefined) expect(isThere(first)).toBe(true);
        if (document.facts.includes('A')) expect(compacted.facts).toContain('A');
        const isCut = compacted.recent_history.length < document.recent_history.length;
        if (isCut) expect(compacted.recent_history[0]?.role.toLowerCase()).not.toBe('tool');
      }),
    );
  });
});

describe('sessionCompactionPolicy', () => {
  it.each([
    [{ keepEntries: 60 }, 'keepEntries must not be more'],
    [{ maxTokens: 0 }, 'maxTokens must be 1 or more, not 0'],
    [{ summaryTokens: Number.NaN }, 'summaryTokens must be 50 or more, not NaN'],
  ])('refuses %j', (policy, message) => {
    expect(() => plan(documentOf([]), { policy })).toThrow(message);
  });
});
