import { describe, expect, it } from 'vitest';
import type { ItemEntry } from '../../api/queries.ts';
import { orderItems } from './item-order.ts';

const item = (id: string, more: Partial<ItemEntry>): ItemEntry => ({
  id,
  agentId: 'ada',
  kind: 'NOTE',
  tier: 'hot',
  importance: 1,
  tokens: 1,
  accessCount: 0,
  createdAt: '2026-01-01',
  updatedAt: '',
  lastAccessedAt: '',
  pinned: false,
  archived: false,
  source: '',
  trust: 'trusted',
  fingerprint: '',
  ...more,
});
const items = [
  item('a', { tokens: 5 }),
  item('b', { tokens: 9, kind: 'TASK' }),
  item('c', { tier: 'cold', tokens: 9, createdAt: '2026-02-01' }),
  item('d', { tier: 'cold', archived: true, accessCount: 3 }),
];
const none = { tier: '', kind: '', sort: '' };
const idsOf = (filter: Partial<typeof none>): string =>
  orderItems(items, { ...none, ...filter })
    .map(({ id }) => id)
    .join('');

describe('the list of items', () => {
  it('an archived item is in no tier but that one', () => {
    expect([idsOf({ tier: 'cold' }), idsOf({ tier: 'archived' })]).toEqual(['c', 'd']);
    expect([idsOf({ tier: 'hot', kind: 'TASK' }), idsOf({})]).toEqual(['b', 'abcd']);
  });

  it('equal ones keep one order', () => {
    expect(['tokens', 'newest', 'used'].map((sort) => idsOf({ sort }))).toEqual([
      'bcad',
      'cabd',
      'dabc',
    ]);
  });
});
