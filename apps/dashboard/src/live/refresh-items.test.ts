import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { ItemAnswer } from '../api/queries.ts';
import { itemRefresher, type ReadItem } from './refresh-items.ts';

const queryKey = ['agent', 'ada', 'items'];

function answerOf(id: string, fingerprint: string): ItemAnswer {
  const times = { createdAt: '', updatedAt: '', lastAccessedAt: '' };
  const rank = { tier: 'hot' as const, importance: 1, tokens: 1, accessCount: 0 };
  const marks = { pinned: false, archived: false, source: '', trust: 'trusted' as const };
  const item = { id, agentId: 'ada', kind: 'TASK', ...times, ...rank, ...marks, fingerprint };
  return { item, why: { weight: 1, boost: 1, decay: 1, ageMs: 0, rank: 1 } };
}

/** A list of one page, and a server that knows items by id. */
function setUp(known: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const read: ReadItem = async (_agent, id) => {
    asked.push(id);
    const fingerprint = known[id];
    return fingerprint === undefined ? undefined : answerOf(id, fingerprint);
  };
  const queries = new QueryClient();
  queries.setQueryData(queryKey, {
    pages: [{ items: [{ id: 'a' }, { id: 'b' }] }],
    pageParams: [''],
  });
  const ids = (): string[] =>
    queries
      .getQueryData<{ pages: { items: { id: string }[] }[] }>(queryKey)
      ?.pages.flatMap(({ items }) => items.map(({ id }) => id)) ?? [];
  return { asked, queries, ids, refresh: itemRefresher(queries, read) };
}

describe('the list of an agent', () => {
  it('takes in what is new and lets go of what is gone, and reads nothing else', async () => {
    const { asked, ids, refresh } = setUp({ c: 'f' });
    await refresh('ada', ['c', 'a']);
    expect(ids()).toEqual(['c', 'b']);
    expect(asked).toEqual(['c', 'a']);
  });

  it('is left alone where nobody shows it', async () => {
    const { asked, refresh } = setUp({});
    await refresh('bob', ['a']);
    expect(asked).toEqual([]);
  });

  it('keeps what came while another page was being read', async () => {
    const { queries, ids, refresh } = setUp({ c: 'f' });
    let answer = (_page: unknown): void => undefined;
    const reading = queries.query({
      queryKey,
      queryFn: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await refresh('ada', ['c']);
    expect(ids()).toEqual(['c', 'a', 'b']);
    // What was being read knows nothing of it.
    answer({
      pages: [{ items: [{ id: 'a' }, { id: 'b' }] }, { items: [{ id: 'z' }] }],
      pageParams: [],
    });
    await reading;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(ids()).toEqual(['c', 'a', 'b', 'z']);
  });
});
