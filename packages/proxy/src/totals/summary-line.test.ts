import { describe, expect, it } from 'vitest';
import { noTotals } from './account.ts';
import { summaryLine } from './summary-line.ts';

describe('the last line of a run', () => {
  it('counts one request as one', () => {
    expect(summaryLine({ ...noTotals, requests: 1, breaks: 1 })).toMatch(
      /^ctx: 1 request \(0 more .*; 1 unexplained miss of the cache$/,
    );
    expect(summaryLine({ ...noTotals, breaks: 2 })).toMatch(
      /^ctx: 0 requests .*2 unexplained misses/,
    );
  });

  it('compares what was held out with the others only if there are others', () => {
    const all = { ...noTotals, requests: 2, heldOut: 2, dollars: 1, heldOutDollars: 1 };
    expect(summaryLine(all)).toMatch(/; 2 held out at \$0\.5000 each$/);
    expect(summaryLine({ ...all, requests: 4, dollars: 1.5, plainDollars: 3 })).toContain(
      '2 held out at $0.5000 each, the others $0.2500, estimated $1.0000 had everything been sent',
    );
  });
});
