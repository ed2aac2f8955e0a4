import { describe, expect, it } from 'vitest';
import { selectByKeyword } from './keyword.ts';

const pointers = [
  { id: 'a', toolDescription: 'read src/auth.ts' },
  { id: 'b', toolDescription: 'search authentication error in src' },
  { id: 'c', toolDescription: 'list the folder' },
].map((pointer, sequence) => ({ ...pointer, sequence, tokens: 10 }));

const ids = (query: string, limits?: { maxTokens: number }): string[] =>
  selectByKeyword(query, pointers, limits).selected.map(({ pointer }) => pointer.id);

describe('selectByKeyword', () => {
  it('puts the largest overlap first and leaves out what shares no word', () => {
    expect(ids('Authentication ERROR in auth')).toEqual(['b', 'a']);
  });

  it('keeps the order of equals', () => {
    expect(ids('src')).toEqual(['a', 'b']);
  });

  it('gives all pointers when none matches', () => {
    expect(ids('banana')).toEqual(['a', 'b', 'c']);
  });

  it('ignores words of one or two characters', () => {
    expect(ids('in ts')).toEqual(['a', 'b', 'c']);
  });

  it('passes over what does not fit the budget, and counts it', () => {
    expect(ids('banana', { maxTokens: 20 })).toEqual(['a', 'b']);
    const { tokens, overBudget } = selectByKeyword('banana', pointers, { maxTokens: 20 });
    expect({ tokens, overBudget }).toEqual({ tokens: 20, overBudget: 1 });
  });
});
