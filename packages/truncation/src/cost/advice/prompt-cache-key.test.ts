import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxCacheKeyLength, promptCacheKey } from './prompt-cache-key.ts';

describe('promptCacheKey', () => {
  it('is the same for the requests of a session, and short', () => {
    expect(promptCacheKey({ sessionId: 's' })).toBe(promptCacheKey({ sessionId: 's' }));
    expect(promptCacheKey({ sessionId: 's' })).toMatch(/^ctx-[0-9a-f]{32}$/);
    expect(promptCacheKey({ sessionId: 's', lane: 'main', tenant: 'default' })).toBe(
      promptCacheKey({ sessionId: 's' }),
    );
  });

  it('holds nothing of what it is made from, fits, and tells sessions, lanes and tenants apart', () => {
    const part = fc.string({ minLength: 4, maxLength: 200 });
    fc.assert(
      fc.property(part, part, part, (sessionId, lane, tenant) => {
        const key = promptCacheKey({ sessionId, lane, tenant });
        expect(key.length).toBeLessThanOrEqual(maxCacheKeyLength);
        expect(key).toMatch(/^[a-z0-9-]+$/);
        expect(promptCacheKey({ sessionId: `${sessionId}x`, lane, tenant })).not.toBe(key);
        expect(promptCacheKey({ sessionId, lane: `${lane}x`, tenant })).not.toBe(key);
        expect(promptCacheKey({ sessionId, lane, tenant: `${tenant}x` })).not.toBe(key);
      }),
    );
    const secret = 'sk-live-0123456789';
    expect(promptCacheKey({ sessionId: secret })).not.toContain('0123456789');
  });
});
