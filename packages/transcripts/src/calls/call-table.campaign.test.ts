import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf } from './call-table.ts';

describe('the hash of an id', () => {
  it('is a whole number over 0, and another one for each of a million ids', () => {
    const seen = new Set<number>();
    for (let at = 0; at < 1_000_000; at += 1) {
      const hash = hashOf(`main\ntoolu_${at}`);
      seen.add(hash);
    }
    expect(seen.size).toBe(1_000_000);
    fc.assert(
      fc.property(fc.string(), (text) => Number.isSafeInteger(hashOf(text)) && hashOf(text) > 0),
    );
  });
});
