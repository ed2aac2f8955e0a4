import { createContextManager } from '@ctx/agent-adapter';
import { contextInputFilter, contextModel, createSession } from '@ctx/agent-adapter/openai-agents';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { Agent, type AgentInputItem, MemorySession, Runner } from '@openai/agents-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './judge-input.ts';
import { modelOf, said } from './run-agent.ts';

const profile = { name: 'gpt-5', windowTokens: 16_000, price: 'openai' };

async function open(windowTokens = 16_000) {
  const store = await openStore(memoryBackend());
  const model = { ...profile, windowTokens };
  const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
  const session = createSession<AgentInputItem>({ store, sessionId: 's', manager });
  return { store, manager, session };
}

const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content });

/** Random histories: turns with calls and their results; `late`: a result may come after the next message. */
function histories(late: boolean): fc.Arbitrary<AgentInputItem[]> {
  const turn = fc.record({ calls: fc.integer({ min: 0, max: 3 }), isLate: fc.boolean() });
  return fc.array(turn, { minLength: 2, maxLength: 12 }).map((turns) =>
    turns.flatMap(({ calls, isLate }, place): AgentInputItem[] => {
      const ids = Array.from({ length: calls }, (_, index) => `c${String(place)}-${String(index)}`);
      const made = ids.map((callId): AgentInputItem => {
        return { type: 'function_call', callId, name: 'n', status: 'completed', arguments: '{}' };
      });
      const results = ids.map((callId): AgentInputItem => {
        const rest = { name: 'n', status: 'completed', output: callId } as const;
        return { type: 'function_call_result', callId, ...rest };
      });
      const asked = user(`question ${String(place)}`);
      return late && isLate
        ? [asked, ...made, said('meanwhile'), ...results]
        : [asked, ...made, ...results, said('done')];
    }),
  );
}

describe.each([false, true])('getItems(limit), late results: %s', (late) => {
  it('never gives a result without its call (600 random histories; the reference session does)', async () => {
    const store = await openStore(memoryBackend());
    let ours = 0;
    let theirs = 0;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(histories(late), fc.integer({ min: 1, max: 12 }), async (items, limit) => {
        count += 1;
        const session = createSession<AgentInputItem>({ store, sessionId: String(count) });
        const reference = new MemorySession({ initialItems: items });
        await session.addItems(items);
        const given = await session.getItems(limit);
        expect(given.length).toBeLessThanOrEqual(limit);
        ours += Number(problemsOf(given).length > 0);
        theirs += Number(problemsOf(await reference.getItems(limit)).length > 0);
      }),
      { numRuns: 600 },
    );
    expect(ours).toBe(0);
    expect(theirs).toBeGreaterThan(60);
  });
});

/** Larger than the window. */
const pasted = `${'a long document that somebody has pasted, line after line\n'.repeat(3000)}What is it?`;

describe('what the user said', () => {
  it('is stored as it was, although the filter had to shorten it for the model', async () => {
    const { manager, session } = await open();
    const model = modelOf(() => [said('a document')]);
    const agent = new Agent({ name: 'a', model });
    const callModelInputFilter = contextInputFilter(manager);
    await new Runner().run(agent, pasted, { session, callModelInputFilter });
    expect(JSON.stringify(model.inputs[0]).length).toBeLessThan(64_000);
    const [first] = await session.getItems();
    expect(first).toMatchObject({ role: 'user', content: pasted });
    // The next turn begins with it again.
    await new Runner().run(agent, 'And now?', { session, callModelInputFilter });
    const items = await session.getItems();
    expect(items).toHaveLength(4);
    expect(items[0]).toMatchObject({ content: pasted });
    expect(items[2]).toMatchObject({ content: 'And now?' });
  });

  it('is stored as it was where the model is wrapped: the session hears nothing of that', async () => {
    const { manager, session } = await open();
    const model = modelOf(() => [said('a document')]);
    const agent = new Agent({ name: 'a', model: contextModel(manager, model) });
    await new Runner().run(agent, pasted, { session });
    expect(JSON.stringify(model.inputs[0]).length).toBeLessThan(64_000);
    expect((await session.getItems())[0]).toMatchObject({ content: pasted });
  });

  it('is shortened in the session of the SDK by the filter alone: that is the defect', async () => {
    const { manager } = await open();
    const session = new MemorySession();
    const agent = new Agent({ name: 'a', model: modelOf(() => [said('a document')]) });
    const callModelInputFilter = contextInputFilter(manager);
    await new Runner().run(agent, pasted, { session, callModelInputFilter });
    const [first] = await session.getItems();
    expect(JSON.stringify(first).length).toBeLessThan(pasted.length);
  });
});

describe('a request that the provider refuses as too long', () => {
  const refusal = () =>
    Object.assign(new Error("400 This model's maximum context length is 10000 tokens."), {
      status: 400,
      code: 'context_length_exceeded',
    });

  it('is made again with less, whole or streamed', async () => {
    for (const stream of [false, true]) {
      const { manager } = await open(40_000);
      const turns = Array.from({ length: 40 }, (_, index) => [
        user(`question ${String(index)} ${'word '.repeat(200)}`),
        said(`answer ${String(index)} ${'word '.repeat(200)}`),
      ]).flat();
      let calls = 0;
      const model = modelOf(() => {
        calls += 1;
        if (calls === 1) throw refusal();
        return [said('ok')];
      });
      const agent = new Agent({ name: 'a', model: contextModel(manager, model) });
      const input = [...turns, user('and now?')];
      if (stream) {
        const result = await new Runner().run(agent, input, { stream });
        for await (const event of result) expect(event).toBeDefined();
        await result.completed;
        expect(result.finalOutput).toBe('ok');
      } else expect((await new Runner().run(agent, input)).finalOutput).toBe('ok');
      const [first, second] = model.inputs.map((each) => JSON.stringify(each).length);
      expect(second ?? 0).toBeLessThan((first ?? 0) * 0.7);
    }
  });

  it('leaves every other error to the caller, and records nothing of a stream that breaks off', async () => {
    const { store, manager } = await open();
    const model = modelOf(() => {
      throw new Error('no such model');
    });
    const agent = new Agent({ name: 'a', model: contextModel(manager, model) });
    await expect(new Runner().run(agent, 'hello')).rejects.toThrow('no such model');
    const result = await new Runner().run(agent, 'hello', { stream: true });
    const reading = (async () => {
      for await (const event of result) expect(event).toBeDefined();
      await result.completed;
    })();
    await expect(reading).rejects.toThrow('no such model');
    expect(model.inputs).toHaveLength(2);
    await manager.end();
    expect((await store.sessions.get('s'))?.document.token_usage.total_input ?? 0).toBe(0);
  });
});
