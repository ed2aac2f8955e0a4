import type { TokenCounter } from '@ctx/core';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, it } from 'vitest';
import { serve } from '../serve.ts';
import { defaultServerLimits } from '../server-options.ts';
import { at, callUrl } from '../test-support/start-server.ts';
import { boundedCounter } from './bounded-counter.ts';

/** A counter that notes the lengths of what it was asked for. */
function notingCounter() {
  const lengths: number[] = [];
  const count: TokenCounter = (text) => {
    lengths.push(text.length);
    return text.length * 2;
  };
  return { lengths, count };
}

describe('the counter of a server', () => {
  it('leaves texts up to the bound to the exact one, and estimates those that are longer', () => {
    const { lengths, count } = notingCounter();
    const bounded = boundedCounter(count, 10);
    expect(bounded('')).toBe(0);
    expect(bounded('ten signs.')).toBe(20);
    expect(bounded('ten signs, and more')).toBe(approximateTokens('ten signs, and more'));
    expect(lengths).toEqual([0, 10]);
  });

  it.each(['words and more words ', 'x'])(
    'never has the exact one read a long body of %j, whichever route it came by',
    async (piece) => {
      const { lengths, count } = notingCounter();
      const { exactCountLength } = defaultServerLimits;
      const text = piece.repeat(Math.ceil((exactCountLength * 2) / piece.length));
      const server = await serve({
        backend: memoryBackend(),
        port: 0,
        access: 'none',
        limits: { maxLagMs: 0 },
        tokenCounter: count,
      });
      const post = (path: string, body: unknown) => callUrl(`${server.url}${path}`, { body });
      const saved = await post('/v1/outputs', { sessionId: 's', toolName: 'read', result: text });
      const item = await post('/api/agents/a/context/save', { item_type: 'TASK', content: text });
      const prepared = await post('/v1/sessions/s/prepare', {
        format: 'openai-chat',
        system: text,
        messages: [{ role: 'user', content: text }],
        windowTokens: 1_000_000,
      });
      await server.stop();
      expect([saved.status, item.status, prepared.status]).toEqual([201, 200, 200]);
      expect(at(saved.json, 'output.tokens')).toBe(approximateTokens(text));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(exactCountLength);
    },
  );
});
