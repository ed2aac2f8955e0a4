import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type RunningServer, startServer } from '../../test-support/start-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ access: 'none' });
});
afterAll(() => server.stop());

const user = (content: string) => ({ role: 'user', content });

describe('prepare with the end of a conversation', () => {
  it('takes nothing twice where system prompts were counted in from, and says how it counts', async () => {
    const path = '/v1/sessions/counted/prepare';
    const send = (messages: readonly unknown[], from?: number) =>
      server.call(path, {
        body: { messages, format: 'openai-chat', ...(from === undefined ? {} : { from }) },
      });
    const reply = { role: 'assistant', content: 'b' };
    const begun = await send([{ role: 'system', content: 'be brief' }, user('a')]);
    expect(at(begun.json, 'receipt.total')).toBe(1);
    const twice = await send([user('a'), reply, user('c')], 1);
    expect(twice.status).toBe(409);
    expect(at(twice.json, 'detail')).toBe(
      'These messages also fit at place 0: one would be kept twice. ' +
        '`from` counts no system prompts; new messages start at `from` 1.',
    );
    const gap = await send([reply, user('c')], 2);
    expect([gap.status, at(gap.json, 'detail')]).toEqual([
      409,
      'The session has 1 messages, system prompts not counted: new messages start at `from` 1.',
    ]);
    const right = await send([{ role: 'system', content: 'be brief' }, reply, user('c')], 1);
    expect(at(right.json, 'receipt')).toMatchObject({ added: 2, total: 3 });
    expect(at(right.json, 'messages.length')).toBe(4);
    const again = await send([reply, user('c')], 1);
    expect(at(again.json, 'receipt')).toMatchObject({ added: 0, total: 3 });
  });
});
