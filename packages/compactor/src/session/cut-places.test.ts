import type { HistoryEntry } from '@ctx/store';
import { describe, expect, it } from 'vitest';
import { cutPlaces } from './cut-places.ts';

const entry = (role: string, more: object = {}): HistoryEntry => ({
  timestamp: 1,
  role,
  content: role,
  ...more,
});

describe('cutPlaces', () => {
  it('cuts before and behind a call with its results, never between', () => {
    const history = ['user', 'assistant', 'tool', 'Tool', 'assistant', 'FUNCTION', 'user'];
    expect(cutPlaces(history.map((role) => entry(role)))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it('keeps a result with the call of its id, whatever stands between', () => {
    const history = [
      entry('assistant', { tool_calls: [{ id: 'a' }, { id: 'b' }] }),
      entry('tool', { tool_call_id: 'a' }),
      entry('user'),
      entry('tool', { tool_call_id: 'b' }),
      entry('user'),
    ];
    expect(cutPlaces(history)).toEqual([true, false, false, false, true, true]);
  });

  it('takes an id that is used again for the newest call of that id', () => {
    const turn = [
      entry('assistant', { tool_calls: [{ id: 'call_0' }] }),
      entry('tool', { tool_call_id: 'call_0' }),
    ];
    expect(cutPlaces([...turn, ...turn])).toEqual([true, false, true, false, true]);
  });

  it('lets a result without a call stand alone at the beginning', () => {
    expect(cutPlaces([entry('tool'), entry('user')])).toEqual([true, true, true]);
    expect(cutPlaces([])).toEqual([true]);
  });
});
