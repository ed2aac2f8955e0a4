import { createContextManager } from '@ctx/agent-adapter';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { hugeMarker, scenarioSteps } from '../agent-scenario.ts';
import { problemsOfPrompt, tokensOfPrompt } from '../judge-prompt.ts';
import { prefixBreaks } from '../prefix-breaks.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import { runAgent } from './run-agent.ts';

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

function managerOf(store: ContextStore) {
  return createContextManager({ store, sessionId: 's', model, compaction: false });
}

describe('an agent of Mastra', () => {
  it('runs 60 steps in a small window: every prompt is valid and every output comes back', async () => {
    const manager = managerOf(await openStore(memoryBackend()));
    const run = await runAgent(manager);
    expect(run.text).toBe('done to 60');
    expect(run.prompts).toHaveLength(scenarioSteps + 1);
    for (const prompt of run.prompts) {
      expect(problemsOfPrompt(prompt)).toEqual([]);
      expect(tokensOfPrompt(prompt)).toBeLessThan(16_000);
      expect(JSON.stringify(prompt)).not.toContain(hugeMarker);
    }
    expect(await stepsNotKeptOnce(manager)).toEqual([]);
    expect(prefixBreaks(run.prompts)).toBeGreaterThan(0);
    expect(prefixBreaks(run.prompts)).toBeLessThan(12);
  });

  it('is learned from: the usage that its model reports is that of the session', async () => {
    const store = await openStore(memoryBackend());
    const manager = managerOf(store);
    const { prompts } = await runAgent(manager, { to: 12 });
    await manager.end();
    const reported = prompts.reduce((sum, prompt) => sum + tokensOfPrompt(prompt), 0);
    expect((await store.sessions.get('s'))?.document.token_usage.total_input).toBe(reported);
  });
});
