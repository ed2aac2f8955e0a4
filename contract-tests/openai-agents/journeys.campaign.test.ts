import { createContextManager } from '@ctx/agent-adapter';
import { createSession } from '@ctx/agent-adapter/openai-agents';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { AgentInputItem } from '@openai/agents-core';
import { describe, expect, it } from 'vitest';
import { callsOfStep, hugeMarker, scenarioSteps } from '../agent-scenario.ts';
import { inFolder } from '../child-program.ts';
import { durableKinds, openDurableStore } from '../open-durable-store.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import { problemsOf } from './judge-input.ts';
import { modelOf, runAgent, type Script, said, tokensOfInput } from './run-agent.ts';

const profile = { name: 'gpt-5', windowTokens: 16_000, price: 'openai' };
const half = 30;

/** Steps of the scenario, then an answer. */
function steps(from: number, to: number): Script {
  return (_input, count) => {
    const step = from + count - 1;
    if (step > to) return [said(`done to ${String(to)}`)];
    return callsOfStep(step).map(({ id, name, input }) => ({
      ...{ type: 'function_call', callId: id, name, status: 'completed' },
      arguments: JSON.stringify(input),
    }));
  };
}

function openParts(store: ContextStore, compaction?: false) {
  const off = compaction === false ? { compaction } : {};
  const manager = createContextManager({ store, sessionId: 's', model: profile, ...off });
  return { manager, session: createSession<AgentInputItem>({ store, sessionId: 's', manager }) };
}

const wiring = 'model';

describe.each(durableKinds)('a run that goes on in another process, on %s', (kind) => {
  it('continues where it was: the same beginning, nothing twice, every output at hand', async () => {
    await inFolder(async (folder) => {
      const first = await openDurableStore(kind, folder);
      const before = openParts(first, false);
      const modelBefore = modelOf(steps(1, half));
      await runAgent(before.manager, modelBefore, { ...before, wiring });
      await before.manager.end();
      await first.close();

      const second = await openDurableStore(kind, folder);
      const after = openParts(second, false);
      const modelAfter = modelOf(steps(half + 1, scenarioSteps));
      const text = await runAgent(after.manager, modelAfter, { ...after, wiring, input: 'Go on.' });
      expect(text).toBe('done to 60');

      const last = modelBefore.inputs.at(-1) ?? [];
      const next = modelAfter.inputs[0] ?? [];
      expect(next.slice(0, last.length)).toEqual(last);
      expect(next.slice(last.length)).toMatchObject([said('done to 30'), { content: 'Go on.' }]);
      for (const input of modelAfter.inputs) {
        expect(problemsOf(input)).toEqual([]);
        expect(tokensOfInput(input)).toBeLessThan(16_000);
      }
      expect(await stepsNotKeptOnce(after.manager)).toEqual([]);
      await second.close();
    });
  });
});

describe('a run that goes back', () => {
  it('knows nothing of what came later, and goes on from where it was', async () => {
    const { manager, session } = openParts(await openStore(memoryBackend()), false);
    await runAgent(manager, modelOf(steps(1, half)), { session, wiring });
    const items = await session.getItems();
    await manager.checkpoint('half');
    const forward = modelOf(() => [said('forward')]);
    await runAgent(manager, forward, { session, wiring, input: 'And now?' });
    const later = modelOf(steps(half + 1, scenarioSteps));
    await runAgent(manager, later, { session, wiring, input: 'Go on.' });
    await manager.restore('half');
    await session.clearSession();
    await session.addItems(items);
    const again = modelOf(() => [said('again')]);
    await runAgent(manager, again, { session, wiring, input: 'And now?' });
    const [request = []] = again.inputs;
    expect(problemsOf(request)).toEqual([]);
    // The cache is cold after going back, so old results may have left; nothing else has changed.
    const before = JSON.stringify(forward.inputs[0]);
    expect(JSON.stringify(request).length).toBeLessThanOrEqual(before.length);
    expect(request.at(-1)).toMatchObject({ content: 'And now?' });
    expect(JSON.stringify(request)).toContain('call-30');
    expect(JSON.stringify(request)).not.toMatch(/call-3[1-9]|forward/);
  });
});

describe('a run that is compacted', () => {
  it.each(['model', 'filter'] as const)(
    'stays valid and small by %s, and the session keeps the user’s words',
    async (way) => {
      const store = await openStore(memoryBackend());
      const { manager, session } = openParts(store);
      let compactions = 0;
      manager.on('compacted', ({ window }) => {
        compactions += Number(window.compacted);
      });
      await manager.prepare([]).catch(() => undefined);
      const model = modelOf(steps(1, scenarioSteps));
      const chatter = Array.from({ length: 30 }, (_, index): AgentInputItem[] => [
        {
          type: 'message',
          role: 'user',
          content: `question ${String(index)} ${'word '.repeat(180)}`,
        },
        said(`answer ${String(index)} ${'word '.repeat(180)}`),
      ]).flat();
      await session.addItems(chatter);
      await runAgent(manager, model, { session, wiring: way, input: 'Read all the logs.' });
      expect(compactions).toBeGreaterThan(0);
      for (const input of model.inputs) {
        expect(problemsOf(input)).toEqual([]);
        expect(tokensOfInput(input)).toBeLessThan(16_000);
        expect(JSON.stringify(input)).not.toContain(hugeMarker);
      }
      const items = await session.getItems();
      expect(items.slice(0, chatter.length)).toEqual(chatter);
      expect(items[chatter.length]).toMatchObject({ content: 'Read all the logs.' });
      expect(items.filter((item) => 'role' in item && item.role === 'user')).toHaveLength(31);
    },
  );
});
