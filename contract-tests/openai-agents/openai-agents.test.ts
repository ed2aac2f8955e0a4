import { createContextManager } from '@ctx/agent-adapter';
import { createSession } from '@ctx/agent-adapter/openai-agents';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { AgentInputItem } from '@openai/agents-core';
import { describe, expect, it } from 'vitest';
import { callsOfStep, hugeMarker, scenarioSteps } from '../agent-scenario.ts';
import { prefixBreaks } from '../prefix-breaks.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import { waysToTry } from '../ways-to-try.ts';
import { problemsOf } from './judge-input.ts';
import {
  modelOf,
  runAgent,
  said,
  scenarioScript,
  tokensOfInput,
  type Wiring,
} from './run-agent.ts';

const parallelSteps = Array.from({ length: scenarioSteps }, (_, index) =>
  callsOfStep(index + 1),
).filter((calls) => calls.length > 1).length;

const profile = { name: 'gpt-5', windowTokens: 16_000, price: 'openai' };

function managerOf(store: ContextStore) {
  return createContextManager({ store, sessionId: 's', model: profile, compaction: false });
}

/** Each way is run once; the tests look at what it left. */
const runs = new Map<Wiring, ReturnType<typeof runScenario>>();

function scenario(wiring: Wiring): ReturnType<typeof runScenario> {
  const known = runs.get(wiring) ?? runScenario(wiring);
  runs.set(wiring, known);
  return known;
}

async function runScenario(wiring: Wiring) {
  const store = await openStore(memoryBackend());
  const manager = managerOf(store);
  const model = modelOf(scenarioScript());
  const session = createSession<AgentInputItem>({ store, sessionId: 's', manager });
  const text = await runAgent(manager, model, { wiring, session });
  return { store, manager, session, text, inputs: model.inputs };
}

const wirings: readonly Wiring[] = ['model', 'streamed model', 'filter'];

describe.each(waysToTry(wirings))('the Agents SDK by %s', (wiring) => {
  it('runs 60 steps in a small window: every input is valid and every output comes back', async () => {
    const { manager, inputs, text } = await scenario(wiring);
    expect(text).toBe('all done');
    expect(inputs).toHaveLength(scenarioSteps + 1);
    for (const input of inputs) {
      expect(problemsOf(input)).toEqual([]);
      expect(JSON.stringify(input)).not.toContain(hugeMarker);
      expect(tokensOfInput(input)).toBeLessThan(16_000);
    }
    expect(await stepsNotKeptOnce(manager)).toEqual([]);
  });

  it('keeps the prefix of the input until something leaves', async () => {
    const { inputs } = await scenario(wiring);
    expect(prefixBreaks(inputs)).toBeGreaterThan(0);
    expect(prefixBreaks(inputs)).toBeLessThan(12);
  });

  it('stores the run in the session as the run had it, with previews in the place of large results', async () => {
    const { session } = await scenario(wiring);
    const items = await session.getItems();
    expect(items[0]).toMatchObject({ role: 'user', content: 'Go through the log, step by step.' });
    expect(items.at(-1)).toMatchObject(said('all done'));
    expect(problemsOf(items)).toEqual([]);
    expect(items.filter(({ type }) => type === 'function_call')).toHaveLength(
      scenarioSteps + parallelSteps,
    );
    expect(JSON.stringify(items)).not.toContain(hugeMarker);
  });

  it('learns from the usage that the run reports', async () => {
    const { store, manager, inputs } = await scenario(wiring);
    await manager.end();
    const usage = (await store.sessions.get('s'))?.document.token_usage;
    // A filter hears of a request when the run calls a tool: not of the last one.
    const heard = wiring === 'filter' ? inputs.slice(0, -1) : inputs;
    const reported = heard.reduce((sum, input) => sum + tokensOfInput(input), 0);
    expect(usage?.total_input).toBe(reported);
  });
});
