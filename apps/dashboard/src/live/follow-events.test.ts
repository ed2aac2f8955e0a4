import { describe, expect, it, vi } from 'vitest';
import type { ItemEntry } from '../api/queries.ts';
import { followEvents, oldAfter } from './follow-events.ts';
import { withItems } from './refresh-items.ts';

const event = { sequence: 1, at: 0 };

function setUp() {
  const read: string[] = [];
  const runs: (() => void)[] = [];
  const follow = followEvents({
    queries: {
      invalidateQueries: async ({ queryKey = [] } = {}) => {
        read.push(queryKey.join('/'));
      },
    },
    refreshItems: async (agentId, ids) => read.push(`items of ${agentId}: ${ids.join()}`),
    later: (run) => {
      runs.push(run);
      return () => undefined;
    },
  });
  /** Lets what runs come to its end, and its rest pass. */
  const pass = async (): Promise<void> => {
    await vi.waitFor(() => {
      expect(runs.length).toBe(2);
    });
    for (const run of runs.splice(0)) run();
  };
  return { read, pass, follow };
}

describe('events make old what they are about', () => {
  it('a flush makes its session old, and no other', () => {
    expect(oldAfter({ ...event, type: 'window-flushed', sessionId: 's' })).toEqual([
      ['stats'],
      ['session', 's'],
      ['sessions'],
    ]);
  });

  it('facts make old what their owner is known by, and none of its items', () => {
    expect(oldAfter({ ...event, type: 'facts-updated', agentId: '@user/ada' })).toEqual([
      ['stats'],
      ['agent', '@user/ada', 'facts'],
    ]);
  });

  it('one item is read alone; several are a list that is read anew', () => {
    const one = oldAfter({ ...event, type: 'item-saved', agentId: 'ada', id: 'i' });
    expect(one).toContainEqual(['agent', 'ada', 'item', 'i']);
    expect(one).not.toContainEqual(['agent', 'ada', 'items']);
    const several = oldAfter({ ...event, type: 'item-archived', agentId: 'ada' });
    expect(several).toContainEqual(['agent', 'ada', 'items']);
  });

  it('the first is shown at once, what follows closely comes together, and nothing is forgotten', async () => {
    const { read, pass, follow } = setUp();
    const saved = { ...event, type: 'item-saved', agentId: 'ada' };
    follow({ ...saved, id: 'a' });
    expect(read[0]).toBe('items of ada: a');
    expect(read).toContain('agent/ada/stats');
    read.length = 0;
    follow({ ...saved, id: 'b' });
    follow({ ...saved, id: 'c' });
    expect(read).toEqual([]);
    await pass();
    expect(read[0]).toBe('items of ada: b,c');
    read.length = 0;
    await pass();
    follow({ ...saved, id: 'd' });
    expect(read[0]).toBe('items of ada: d');
  });

  it('costs are read when a session changed, and then rest: a session is read whole for them', async () => {
    const rests: number[] = [];
    const read: string[] = [];
    const follow = followEvents({
      queries: {
        invalidateQueries: async ({ queryKey = [] } = {}) => {
          read.push(queryKey.join('/'));
        },
      },
      refreshItems: async () => undefined,
      later: (_, ms) => {
        rests.push(ms);
        return () => undefined;
      },
    });
    follow({ ...event, type: 'item-archived', agentId: 'ada' });
    expect(read).not.toContain('costs');
    for (const sessionId of ['a', 'b', 'a']) {
      follow({ ...event, type: 'window-flushed', sessionId });
    }
    expect(read.filter((key) => key === 'costs')).toEqual(['costs']);
    await expect.poll(() => rests).toContain(10_000);
  });
});

describe('an item that changed', () => {
  const entry = (id: string, tokens = 1): ItemEntry => ({
    id,
    agentId: 'ada',
    kind: 'TASK',
    tier: 'hot',
    importance: 1,
    tokens,
    accessCount: 0,
    createdAt: '',
    updatedAt: '',
    lastAccessedAt: '',
    pinned: false,
    archived: false,
    source: '',
    trust: 'trusted',
    fingerprint: '',
  });
  const pages = [{ items: [entry('a')] }, { items: [entry('b')] }];

  it('stays where it is, comes in first, or goes', () => {
    const now = (id: string, item?: ItemEntry) => withItems(pages, new Map([[id, item]]));
    expect(now('b', entry('b', 9))[1]?.items[0]?.tokens).toBe(9);
    expect(now('c', entry('c'))[0]?.items.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(now('a')[0]?.items).toEqual([]);
    expect(now('z')).toEqual(pages);
  });
});
