import { createContextManager } from '@ctx/agent-adapter';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { hugeMarker, scenarioSteps } from '../agent-scenario.ts';
import { prefixBreaks } from '../prefix-breaks.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import { waysToTry } from '../ways-to-try.ts';
import { bytesOfMessage, problemsOf } from './judge-request.ts';
import { runAgent, type Wiring } from './run-agent.ts';
import { scenarioScript, scriptedClient, tokensOfRequest } from './scripted-server.ts';

const model = { name: 'claude-opus-5', windowTokens: 16_000, price: 'anthropic-5m' };

function managerOf(store: ContextStore) {
  return createContextManager({ store, sessionId: 's', model, compaction: false });
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
  const { client, requests } = scriptedClient(scenarioScript());
  const text = await runAgent(client, manager, { wiring });
  return { store, manager, requests, text };
}

const wirings: readonly Wiring[] = ['loop', 'runner', 'streaming runner'];

describe.each(waysToTry(wirings))('Anthropic by %s', (wiring) => {
  it('runs 60 steps in a small window: every request is valid and every output comes back', async () => {
    const { manager, requests, text } = await scenario(wiring);
    expect(text).toBe('all done');
    expect(requests).toHaveLength(scenarioSteps + 1);
    for (const request of requests) {
      expect(problemsOf(request)).toEqual([]);
      expect(JSON.stringify(request)).not.toContain(hugeMarker);
      expect(tokensOfRequest(request)).toBeLessThan(16_000);
      expect(request.thread).toBeUndefined();
    }
    expect(await stepsNotKeptOnce(manager)).toEqual([]);
  });

  it('keeps the prefix of the request until something leaves', async () => {
    const { requests } = await scenario(wiring);
    const sent = requests.map(({ messages }) => messages.map(bytesOfMessage));
    expect(prefixBreaks(sent)).toBeGreaterThan(0);
    expect(prefixBreaks(sent)).toBeLessThan(12);
  });

  it('learns from the usage that the answers report', async () => {
    const { store, manager, requests } = await scenario(wiring);
    await manager.end();
    const usage = (await store.sessions.get('s'))?.document.token_usage;
    const reported = requests.reduce((sum, request) => sum + tokensOfRequest(request), 0);
    expect(usage?.total_input).toBe(reported);
  });
});
