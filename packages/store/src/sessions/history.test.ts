import { describe, expect, it } from 'vitest';
import { appendEntries, entryTokens } from './history.ts';
import { emptySessionDocument, type HistoryEntry } from './session-document.ts';

const entry = (role: string, more: object = {}): HistoryEntry => ({
  timestamp: 1,
  role,
  content: role,
  ...more,
});

describe('entryTokens', () => {
  const count = (text: string): number => text.length;
  it('believes what was recorded, and counts where nothing was', () => {
    expect(entryTokens(entry('user', { token_count: 7 }), count)).toBe(7);
    expect(entryTokens(entry('user'), count)).toBe(4);
    expect(entryTokens(entry('user', { token_count: 0 }), count)).toBe(4);
    expect(entryTokens(entry('user', { token_count: 0, content: '' }), count)).toBe(0);
  });
});

describe('appendEntries', () => {
  it('adds time and tokens where they are missing, and keeps other members', () => {
    const document = appendEntries(
      emptySessionDocument('s'),
      [
        { role: 'user', content: 'Hello' },
        { ...entry('tool'), tool_call_id: 'x', token_count: 3 },
      ],
      { now: 5000, countTokens: () => 9 },
    );
    expect(document.recent_history).toEqual([
      { timestamp: 5, role: 'user', content: 'Hello', token_count: 9 },
      { timestamp: 1, role: 'tool', content: 'tool', tool_call_id: 'x', token_count: 3 },
    ]);
  });
});
