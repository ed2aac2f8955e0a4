import { limitTokensOf, windowModes } from '@ctx/truncation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type RunningServer, startServer } from '../../test-support/start-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ access: 'none' });
});
afterAll(() => server.stop());

describe('the window of a request', () => {
  it.each([
    [{ model: 'gpt-4o' }, 128_000],
    [{ model: 'openai/gpt-4o-mini' }, 128_000],
    [{ model: 'claude-sonnet-4-5' }, 200_000],
    [{ model: 'a-model-of-mine' }, 128_000],
    [{}, 200_000],
    [{ model: 'gpt-4o', windowTokens: 20_000 }, 20_000],
  ])('of %j is %d tokens', async (named, windowTokens) => {
    const messages = [{ role: 'user', content: 'hello' }];
    const body = { format: 'openai-chat', messages, ...named };
    const answer = await server.call('/v1/sessions/s/prepare', { body });
    const limit = limitTokensOf(windowModes.default, windowTokens);
    expect(at(answer.json, 'receipt.limitTokens')).toBe(limit);
  });

  it('counts adjacent messages of one role as one', async () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ];
    const body = { format: 'openai-chat', messages };
    const answer = await server.call('/v1/sessions/adjacent/prepare', { body });
    expect(at(answer.json, 'receipt.total')).toBe(1);
  });
});
