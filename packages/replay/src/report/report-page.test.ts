import { describe, expect, it } from 'vitest';
import type { ReplaySummary, ReplayRow } from '../summary/replay-summary.ts';
import { equalEvidence } from './equal-evidence.ts';
import { reportPage } from './report-page.ts';

function row(policy: string, ute: number, inView: number): ReplayRow {
  return {
    policy,
    requests: 10,
    inputTokens: 1000,
    outputTokens: 100,
    peakTokens: 500,
    inputUte: ute - 100,
    ute,
    dollars: 1,
    cachedTokens: 900,
    hitRate: 0.9,
    resentTokens: 40,
    expiredTokens: 10,
    prefixBreaks: 1,
    overWindow: 0,
    invalid: 0,
    edits: 100,
    editsInView: inView,
    editsRecoverable: 100,
    rereadTokens: 100,
    rereadTokensInView: inView,
    namesUsed: 100,
    namesInView: inView,
    outputs: 5,
    outputsRecoverable: 5,
    savedAtInsertion: 0,
    savedByDedupe: 0,
    savedByLeaving: 0,
  };
}

const totals = [
  row('none', 1000, 100),
  row('recipe', 800, 98),
  row('recipe-50k', 400, 90),
  row('ctx', 450, 94),
  row('offline-optimum', 300, 80),
];

const evil = '<img src=x onerror=alert(1)>"\'&';

const answer: ReplaySummary = {
  redact: 'off',
  windowTokens: 128_000,
  price: 'anthropic-5m',
  pricesDate: '2026-01-01',
  sessions: [
    {
      id: evil,
      file: evil,
      format: evil,
      messages: 20,
      requests: 10,
      times: 'file',
      repaired: { [evil]: 1 },
      saved: { outputs: 5, bytes: 100, offloaded: 1, shared: 0, redacted: 0 },
      policies: totals,
    },
  ],
  totals,
};

describe('the page of a replay', () => {
  const page = reportPage(answer);

  it('loads nothing from anywhere, and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|javascript:|url\(|@import|https?:/);
    expect(page).toContain('content="default-src &#39;none&#39;; style-src');
    expect(page).toContain('prefers-color-scheme:dark');
  });

  it('says what the cache could have answered had nothing been changed', () => {
    expect(page).toContain('cached at most');
    expect(page).toContain('94.0 %');
  });

  it('shows what stands in transcripts as text', () => {
    expect(page).not.toContain('<img');
    expect(page.split('&lt;img src=x onerror=alert(1)&gt;').length).toBeGreaterThan(4);
  });

  it('says so where no chart can be drawn, and explains none', () => {
    const nothingJudged = { edits: 0, rereadTokens: 0, namesUsed: 0 };
    const bare = reportPage({
      ...answer,
      totals: totals.map((one) => ({ ...one, ...nothingJudged })),
    });
    expect(bare).toContain('There is no chart');
    expect(bare).not.toContain('How to read the charts');
    expect(page).not.toContain('There is no chart');
    expect(page).toContain('How to read the charts');
  });

  it('draws each policy in three charts that say in words what they show', () => {
    expect(page.match(/<svg viewBox="0 0 560 400" role="img" aria-label="/g)).toHaveLength(3);
    expect(page).toContain('aria-label="Evidence in view against cost. ctx 450 UTE, 94.0 %');
    for (const { policy } of totals) {
      expect(page.match(new RegExp(`>${policy}</text>`, 'g'))).toHaveLength(3);
    }
    expect(page.match(/class="path recipe"/g)).toHaveLength(3);
    expect(page.match(/class="path bound"/g)).toHaveLength(3);
  });

  it('has a row for each policy and a fold for each session', () => {
    expect(page.match(/<tr><th scope="row">none<\/th>/g)).toHaveLength(2);
    expect(page.match(/<details>/g)).toHaveLength(1);
    expect(page).toContain('<dt>offline-optimum</dt>');
  });

  it('leaves out what was not measured', () => {
    const none = totals.map((each) => ({ ...each, edits: 0, namesUsed: 0 }));
    const plain = reportPage({ ...answer, totals: none });
    expect(plain.match(/<figure>/g)).toHaveLength(1);
    expect(plain).not.toContain('NaN');
    expect(plain).not.toContain('Cost at equal evidence');
  });
});

describe('equal evidence', () => {
  it('finds what the recipe costs there, between its triggers', () => {
    const [managed, bound, ...more] = equalEvidence(totals);
    expect(managed?.row.policy).toBe('ctx');
    expect(managed?.recipeUte).toBeCloseTo(600, 6);
    expect(bound).toEqual({ row: totals[4], noneUte: 1000 });
    expect(more).toEqual([]);
    expect(equalEvidence([row('ctx', 1, 90)])).toEqual([]);
  });
});
