import type Anthropic from '@anthropic-ai/sdk';
import { createContextManager } from '@ctx/agent-adapter';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { callsOfStep, hugeMarker, scenarioSteps } from '../agent-scenario.ts';
import { inFolder } from '../child-program.ts';
import { durableKinds, openDurableStore } from '../open-durable-store.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import { bytesOfMessage, problemsOf } from './judge-request.ts';
import { firstMessages, runAgent } from './run-agent.ts';
import { type Script, scriptedClient, tokensOfRequest } from './scripted-server.ts';

type Param = Anthropic.Beta.BetaMessageParam;

const half = 30;
const model = { name: 'claude-opus-5', windowTokens: 16_000, price: 'anthropic-5m' };

/** Steps of the scenario, then an answer. */
function steps(from: number, to: number): Script {
  return (_request, count) => {
    const step = from + count - 1;
    if (step > to) {
      const text = `done to ${String(to)}`;
      return { content: [{ type: 'text', text }], stop_reason: 'end_turn' };
    }
    const calls = callsOfStep(step).map((call) => ({ type: 'tool_use', ...call }));
    return { content: calls, stop_reason: 'tool_use' };
  };
}

function managerOf(store: ContextStore, compaction?: false) {
  const off = compaction === false ? { compaction } : {};
  return createContextManager({ store, sessionId: 's', model, ...off });
}

const wiring = 'loop';

describe.each(durableKinds)('a loop that goes on in another process, on %s', (kind) => {
  it('continues where it was: the same beginning, nothing twice, every output at hand', async () => {
    await inFolder(async (folder) => {
      const history: Param[] = [...firstMessages];
      const first = await openDurableStore(kind, folder);
      const before = managerOf(first, false);
      const one = scriptedClient(steps(1, half));
      await runAgent(one.client, before, { wiring, history });
      await before.end();
      await first.close();
      // The host keeps its history as JSON.
      const kept = JSON.parse(JSON.stringify(history)) as Param[];
      const second = await openDurableStore(kind, folder);
      const after = managerOf(second, false);
      const two = scriptedClient(steps(half + 1, scenarioSteps));
      const goOn: Param = { role: 'user', content: 'Go on.' };
      const text = await runAgent(two.client, after, { wiring, history: [...kept, goOn] });
      expect(text).toBe('done to 60');
      const last = one.requests.at(-1)?.messages ?? [];
      const next = two.requests[0]?.messages ?? [];
      expect(next.slice(0, last.length).map(bytesOfMessage)).toEqual(last.map(bytesOfMessage));
      expect(next).toHaveLength(last.length + 2);
      for (const request of two.requests) {
        expect(problemsOf(request)).toEqual([]);
        expect(tokensOfRequest(request)).toBeLessThan(16_000);
      }
      expect(await stepsNotKeptOnce(after)).toEqual([]);
      await second.close();
    });
  });
});

it('a loop that goes back knows nothing of what came later, and goes on from where it was', async () => {
  const manager = managerOf(await openStore(memoryBackend()), false);
  const history: Param[] = [...firstMessages];
  await runAgent(scriptedClient(steps(1, half)).client, manager, { wiring, history });
  const kept = structuredClone(history);
  await manager.checkpoint('half');
  history.push({ role: 'user', content: 'Go on.' });
  const later = scriptedClient(steps(half + 1, scenarioSteps));
  await runAgent(later.client, manager, { wiring, history });
  await manager.restore('half');
  const again = scriptedClient(steps(1, 0));
  const asked: Param = { role: 'user', content: 'And now?' };
  await runAgent(again.client, manager, { wiring, history: [...kept, asked] });
  const [request = { messages: [] }] = again.requests;
  expect(problemsOf(request)).toEqual([]);
  expect(JSON.stringify(request)).toContain('call-30');
  expect(JSON.stringify(request)).not.toMatch(/call-3[1-9]/);
});

it('a loop that is compacted stays valid and small, and the user’s words stay in it', async () => {
  const manager = managerOf(await openStore(memoryBackend()));
  let compactions = 0;
  manager.on('compacted', ({ window }) => {
    compactions += Number(window.compacted);
  });
  const chatter = Array.from({ length: 45 }, (_, index): Param[] => [
    { role: 'user', content: `question ${String(index)} ${'word '.repeat(120)}` },
    { role: 'assistant', content: `answer ${String(index)} ${'word '.repeat(120)}` },
  ]).flat();
  const history: Param[] = [...chatter, { role: 'user', content: 'Read all the logs.' }];
  const { client, requests } = scriptedClient(steps(1, scenarioSteps));
  expect(await runAgent(client, manager, { wiring, history })).toBe('done to 60');
  expect(compactions).toBeGreaterThan(0);
  for (const request of requests) {
    expect(problemsOf(request)).toEqual([]);
    expect(tokensOfRequest(request)).toBeLessThan(16_000);
    expect(JSON.stringify(request)).not.toContain(hugeMarker);
    expect(JSON.stringify(request)).toContain('Read all the logs.');
  }
});
