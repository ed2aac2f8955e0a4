import { createContextManager } from '@ctx/agent-adapter';
import { memoryBackend, openStore } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { hugeMarker, hugeStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import { type AgentRun, runAgent, tokensOfPrompt, type Wiring } from './run-agent.ts';

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

async function scenario(version: 6 | 7, wiring: Wiring) {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
  const run = await runAgent(version, manager, wiring);
  return { store, manager, run };
}

const nameless = ({ prompts }: AgentRun): string =>
  JSON.stringify(prompts).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output');

function callIds(prompt: AgentRun['prompts'][number], type: string): string[] {
  return prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) =>
          part.type === type && 'toolCallId' in part ? [part.toolCallId] : [],
        ),
  );
}

describe.each([6, 7] as const)('the AI SDK %i', (version) => {
  it('runs 60 steps in a small window: every prompt is valid and every output comes back', async () => {
    const { manager, run } = await scenario(version, 'middleware');
    expect(run.text).toBe('all done');
    expect(run.prompts).toHaveLength(scenarioSteps + 1);
    for (const prompt of run.prompts) {
      expect(callIds(prompt, 'tool-result').toSorted()).toEqual(
        callIds(prompt, 'tool-call').toSorted(),
      );
      expect(JSON.stringify(prompt)).not.toContain(hugeMarker);
      expect(tokensOfPrompt(prompt)).toBeLessThan(16_000);
      expect(prompt[0]).toMatchObject({ role: 'system', content: 'be brief' });
    }
    const outputs = await manager.loadContexts(
      (await manager.getAllPointers()).map(({ id }) => id),
    );
    const logs = new Set(outputs.map(({ result }) => result));
    for (let step = 1; step <= scenarioSteps; step += 1) {
      if (step % 13 !== 0) expect(logs.has(logOfStep(step))).toBe(true);
    }
    expect(run.results).toContain(logOfStep(hugeStep));
  });

  it('keeps the prefix of the prompt until something leaves', async () => {
    const { run } = await scenario(version, 'middleware');
    const texts = run.prompts.map((prompt) => prompt.map((each) => JSON.stringify(each)));
    const breaks = texts.filter((now, index) => {
      const before = texts[index - 1] ?? [];
      return before.some((message, place) => now[place] !== message);
    });
    expect(breaks.length).toBeGreaterThan(0);
    expect(breaks.length).toBeLessThan(12);
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
    expect(six.run.text).toBe('all done');
    expect(nameless(seven.run)).toBe(nameless(six.run));
  });
});
