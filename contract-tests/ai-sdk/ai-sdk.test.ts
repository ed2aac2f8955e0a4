import { createContextManager } from '@ctx/agent-adapter';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { describeJourneys } from '../agent-journeys.ts';
import { hugeMarker, hugeStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import { problemsOfPrompt, tokensOfPrompt } from '../judge-prompt.ts';
import { prefixBreaks } from '../prefix-breaks.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import { waysToTry } from '../ways-to-try.ts';
import { type AgentRun, runAgent, type Wiring } from './run-agent.ts';

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

async function scenario(version: 6 | 7, wiring: Wiring) {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
  const run = await runAgent(version, manager, { wiring });
  return { store, manager, run };
}

const nameless = ({ prompts }: AgentRun): string =>
  JSON.stringify(prompts).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output');

describe.each([6, 7] as const)('the AI SDK %i', (version) => {
  describe.each(waysToTry(['middleware', 'prepareStep and usage'] as const))('by %s', (wiring) => {
    describeJourneys<AgentRun['history']>((manager, { before = [], said, ...part }) =>
      runAgent(version, manager, { wiring, ...part, messages: [...before, ...said] }),
    );
  });

  it('runs 60 steps in a small window: every prompt is valid and every output comes back', async () => {
    const { manager, run } = await scenario(version, 'middleware');
    expect(run.text).toBe('done to 60');
    expect(run.prompts).toHaveLength(scenarioSteps + 1);
    for (const prompt of run.prompts) {
      expect(problemsOfPrompt(prompt)).toEqual([]);
      expect(JSON.stringify(prompt)).not.toContain(hugeMarker);
      expect(tokensOfPrompt(prompt)).toBeLessThan(16_000);
      expect(prompt[0]).toMatchObject({ role: 'system', content: 'be brief' });
    }
    expect(await stepsNotKeptOnce(manager)).toEqual([]);
    expect(run.results).toContain(logOfStep(hugeStep));
  });

  it('keeps the prefix of the prompt until something leaves', async () => {
    const { run } = await scenario(version, 'middleware');
    expect(prefixBreaks(run.prompts)).toBeGreaterThan(0);
    expect(prefixBreaks(run.prompts)).toBeLessThan(12);
  });

  it('learns from the usage that the model reports', async () => {
    const { store, manager, run } = await scenario(version, 'middleware');
    await manager.end();
    const usage = (await store.sessions.get('s'))?.document.token_usage;
    const reported = run.prompts.reduce((sum, prompt) => sum + tokensOfPrompt(prompt), 0);
    expect(usage?.total_input).toBe(reported);
  });
});

describe('prepareStep', () => {
  it('gives version 6, which forgets, and version 7, which goes on from it, the same prompts', async () => {
    const six = await scenario(6, 'prepareStep');
    const seven = await scenario(7, 'prepareStep');
    expect(six.run.text).toBe('done to 60');
    expect(nameless(seven.run)).toBe(nameless(six.run));
  });
});
