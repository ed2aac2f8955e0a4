import { createContextManager } from '@ctx/agent-adapter';
import { memoryBackend, openStore } from '@ctx/core';
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { hugeMarker, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import {
  promptsOf,
  scenarioAgent,
  scenarioRun,
  scriptedModel,
  tokensOfPrompt,
  violationsOf,
} from './run-agent.ts';

const profile = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

const start = { messages: [new HumanMessage('Go through the log, step by step.')] };

async function open() {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's', model: profile });
  return { store, manager };
}

describe('an agent of LangChain', () => {
  it('runs 60 steps in a small window: every prompt is valid and every output comes back', async () => {
    const { manager } = await open();
    const model = scriptedModel();
    const agent = scenarioAgent({ model, manager, checkpointer: new MemorySaver() });
    const { messages } = await agent.invoke(start, scenarioRun);
    expect(messages.at(-1)?.text).toBe('all done');
    const prompts = promptsOf(model);
    expect(prompts).toHaveLength(scenarioSteps + 1);
    for (const prompt of prompts) {
      expect(violationsOf(prompt)).toEqual([]);
      expect(JSON.stringify(prompt)).not.toContain(hugeMarker);
      expect(tokensOfPrompt(prompt)).toBeLessThan(16_000);
      expect(prompt[0]?.text).toBe('be brief');
    }
    const outputs = await manager.loadContexts(
      (await manager.getAllPointers()).map(({ id }) => id),
    );
    const results = new Set(outputs.map(({ result }) => result));
    for (let step = 1; step <= scenarioSteps; step += 1) {
      if (step % 13 !== 0) expect(results.has(logOfStep(step))).toBe(true);
    }
    expect(results.has('Error: this tool fails')).toBe(true);
  });
});
