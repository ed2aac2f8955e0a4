import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsOfGeneration, startCallTable } from './call-table.ts';

describe('the table of calls', () => {
  it('gives what a map gives, for as many calls as a generation holds', () => {
    const id = fc.oneof(
      fc.integer({ min: 1, max: 300 }),
      fc.maxSafeNat().map((n) => n + 1),
    );
    const use = fc.record({
      user: fc.maxSafeNat(),
      response: fc.maxSafeNat(),
      answeredBy: fc.maxSafeNat(),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(id, use), { maxLength: 500 }), (puts) => {
        const table = startCallTable();
        const map = new Map(puts);
        for (const [key, value] of puts) table.put(key, value);
        for (const [key, value] of map) expect(table.get(key)).toEqual(value);
        expect(table.get(301 * 64)).toEqual(map.get(301 * 64));
      }),
    );
  });

  it('forgets a generation once the next one but one begins', () => {
    const table = startCallTable();
    const use = { user: 1, response: 2, answeredBy: 3 };
    table.put(1, use);
    for (let id = 2; id <= 2 * callsOfGeneration; id += 1) table.put(id, use);
    expect(table.get(1)).toEqual(use);
    table.put(2 * callsOfGeneration + 1, use);
    expect(table.get(1)).toBeUndefined();
    expect(table.get(callsOfGeneration + 1)).toEqual(use);
  });
});
