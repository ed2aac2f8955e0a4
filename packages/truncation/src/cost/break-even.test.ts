import { describe, expect, it } from 'vitest';
import { breakEvenRequests } from './break-even.ts';

const price = { read: 0.1, write: 1.25 };

describe('the break-even of a compaction', () => {
  it('comes when reading less has saved what writing anew costs', () => {
    // 1.15 · 20,000 = 23,000 to write; 0.1 · 80,000 = 8,000 saved a request.
    expect(breakEvenRequests({ tokensBefore: 100_000, tokensAfter: 20_000 }, price)).toBe(3);
    expect(breakEvenRequests({ tokensBefore: 30_000, tokensAfter: 20_000 }, price)).toBe(23);
  });

  it('comes at once where cached tokens cost as much as others', () => {
    const plain = { read: 1, write: 1 };
    expect(breakEvenRequests({ tokensBefore: 2, tokensAfter: 1 }, plain)).toBe(1);
  });

  it('never comes where nothing gets shorter', () => {
    expect(breakEvenRequests({ tokensBefore: 10, tokensAfter: 10 }, price)).toBeUndefined();
    expect(breakEvenRequests({ tokensBefore: 10, tokensAfter: 11 }, price)).toBeUndefined();
  });
});
