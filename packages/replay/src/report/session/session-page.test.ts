import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapedBytes } from '../html.ts';
import { planSessionPage, type SharedPiece, type SharedSession } from './plan-session-page.ts';
import { sessionPage } from './session-page.ts';

const piece = (more: Partial<SharedPiece> = {}): SharedPiece => ({
  ...{ message: 0, kind: 'user', text: 'find the key', why: 'recent', pointer: 'ctx://messages/0' },
  ...{ tokensBefore: 4, tokensAfter: 4 },
  ...more,
});

const session = (more: Partial<SharedSession> = {}): SharedSession => ({
  ...{ title: 'Lost key', id: 's', mode: 'recorded', windowTokens: 200_000, redacted: 0 },
  ...{ madeAt: Date.UTC(2026, 10, 27), requests: [], pieces: [piece()] },
  ...more,
});

const requests = [1, 2, 3].map((number) => ({
  ...{ number, tokens: number * 1000, limitTokens: 180_000, cachedTokens: (number - 1) * 1000 },
  ...(number === 3 ? { event: 'flush' as const, cause: 'full' } : {}),
}));

describe('a session as a page of its own', () => {
  it('says of secrets only that none is left: they may have been redacted when the session was stored', () => {
    const page = sessionPage(session({ pieces: [piece({ text: 'I am [redacted: aws-key #1]' })] }));
    expect(page).toContain('No secrets of a known form are left.');
    expect(page).not.toContain('No secrets were found');
  });

  it('shows what was said, calls and results folded, and what left with its reason and its place', () => {
    const page = sessionPage(
      session({
        requests,
        pieces: [
          piece(),
          piece({
            message: 1,
            kind: 'call',
            toolName: 'Look',
            text: 'Look {\n  "place": "mat"\n}',
          }),
          piece({
            ...{ message: 2, kind: 'result', toolName: 'Look', text: 'a key\nof brass' },
            ...{ instead: '[Look → ctx://outputs/o]', why: 'too large', tokensAfter: 9 },
          }),
          piece({ message: 3, kind: 'assistant', text: 'Found.', instead: '' }),
        ],
      }),
    );
    expect(page).toContain('<pre>find the key</pre>');
    expect(page).toContain(
      '<summary><span class="soft">calls</span> <strong>Look</strong> { &quot;place&quot;: &quot;mat&quot; } <',
    );
    expect(page).toContain('<pre>a key\nof brass</pre>');
    expect(page).toContain(
      'too large. In the window: 9 tokens instead of 4. In its place: [Look → ctx',
    );
    expect(page).toContain('Nothing replaces it.');
    expect(page.match(/<h3>(\w+)<\/h3>/g)).toEqual([
      ...['<h3>User</h3>', '<h3>Assistant</h3>', '<h3>Tools</h3>', '<h3>Assistant</h3>'],
    ]);
    expect(page).toContain('<circle class="flush"');
    expect(page).toContain('3 requests, 4 pieces; window 200,000 tokens, as its own agent sent it');
    expect(page).not.toMatch(/left out|cut, each/);
  });

  it('loads nothing and runs nothing, whatever stands in the session', () => {
    const hostile =
      '</pre><script src="https://evil.example/x.js"></script><img onerror=alert(1) src=x>"\'';
    const page = sessionPage(
      session({
        ...{ title: hostile, id: hostile, mode: hostile },
        requests: [{ ...requests[0]!, cause: hostile }],
        pieces: [
          piece({
            ...{ text: hostile, toolName: hostile, why: hostile, instead: hostile },
            ...{ pointer: hostile, kind: 'result', what: hostile },
          }),
        ],
      }),
    );
    expect(page).not.toMatch(/<script|<img|<link|<iframe|src="|href="|@import|url\(/);
    expect(page).toContain(
      'content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"',
    );
  });

  it('stays within its size; what is cut or left out is counted and said', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ size: fc.nat({ max: 20_000 }), sign: fc.constantFrom('a', '<', 'é', '😀') }),
          {
            maxLength: 60,
          },
        ),
        fc.integer({ min: 30_000, max: 200_000 }),
        (texts, maxBytes) => {
          const pieces = texts.map(({ size, sign }, message) =>
            piece({ message, text: sign.repeat(size) }),
          );
          const page = sessionPage(session({ pieces }), maxBytes);
          expect(Buffer.byteLength(page)).toBeLessThanOrEqual(maxBytes);
          const plan = planSessionPage({ pieces, requests: [] }, maxBytes);
          expect(plan.shown.length + plan.leftPieces).toBe(pieces.length);
          expect(page.includes('left out: the page holds')).toBe(plan.leftPieces > 0);
          const left = plan.shown.filter(({ text }) => text.leftCharacters > 0);
          expect(page.match(/more characters?, not on this page/g)?.length ?? 0).toBe(left.length);
          for (const { piece: one, text } of plan.shown) {
            expect(one.text.startsWith(text.text)).toBe(true);
            expect(text.text.length + text.leftCharacters).toBe(one.text.length);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('cuts no text while all of them fit, and the longest alone where they do not', () => {
    const pieces = [10, 200, 300_000, 30].map((size) => piece({ text: 'x'.repeat(size) }));
    const whole = planSessionPage({ pieces, requests: [] });
    expect(whole.cutTexts).toBe(0);
    const { shown } = planSessionPage({ pieces, requests: [] }, 100_000);
    expect(shown.map(({ text }) => text.leftCharacters > 0)).toEqual([false, false, true, false]);
    expect(escapedBytes(shown[2]?.text.text ?? '')).toBeGreaterThan(60_000);
  });

  it('holds 400 messages of a usual session within 5 MB', () => {
    const pieces = Array.from({ length: 400 }, (_, message) =>
      piece({ message, kind: 'result', text: 'const line = a < b && "c";\n'.repeat(1500) }),
    );
    expect(Buffer.byteLength(sessionPage(session({ pieces })))).toBeLessThanOrEqual(5_000_000);
  });
});
