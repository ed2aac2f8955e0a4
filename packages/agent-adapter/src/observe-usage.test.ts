import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { recordToolOutput } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { observeUsage } from './observe-usage.ts';

it('counts calls, failures and tokens of a session without any write of the caller', async () => {
  const store = await openStore(memoryBackend());
  for (let call = 0; call < 40; call += 1) {
    const input = {
      sessionId: 's',
      toolName: 'bash',
      args: { call },
      result: `line ${String(call)}`,
    };
    await recordToolOutput(store, input, { failed: call === 7 });
  }
  observeUsage(store, 's', { input: 900, output: 100 });
  await store.sessions.flush('s');
  const session = await store.sessions.get('s');
  expect(session?.document.tool_stats).toEqual({
    total_calls: 40,
    by_tool: { bash: 40 },
    failures: 1,
  });
  expect(session?.document.token_usage.by_session).toBe(1000);
  expect(session?.version).toBeLessThanOrEqual(3);
});
