import { createContextManager } from '@ctx/agent-adapter';
import { model as summarizeWith } from '@ctx/compactor';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextManagerOptions } from '../../packages/agent-adapter/src/context-manager/manager-settings.ts';
import { ctxMiddleware, tokensOfPrompt, violationsOf } from './run-agent.ts';

/** A thread whose state keeps everything, and the requests that reach its model. */
async function thread(windowTokens: number, options: Partial<ContextManagerOptions> = {}) {
  const store = await openStore(memoryBackend(), { clock: () => 1_000_000 });
  const model = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model, ...options });
  const middleware = ctxMiddleware(manager);
  const request = async (messages: readonly BaseMessage[]): Promise<BaseMessage[]> => {
    let sent: readonly BaseMessage[] = [];
    await middleware.wrapModelCall({ messages, runtime: {} }, (given) => {
      sent = given.messages;
      return new AIMessage('ok');
    });
    return [...sent];
  };
  const call = async (id: string, result: string): Promise<BaseMessage[]> => {
    const toolCall = { name: 'read', args: { id }, id, type: 'tool_call' as const };
    const made = new ToolMessage({ content: result, tool_call_id: id, name: 'read' });
    const message = await middleware.wrapToolCall({ toolCall, runtime: {} }, () => made);
    return [new AIMessage({ content: '', tool_calls: [toolCall] }), message];
  };
  return { store, manager, request, call };
}

const textOf = (messages: readonly BaseMessage[]): string =>
  messages.map(({ text }) => text).join('\n');

/** A long talk with a fact in each turn. */
function talk(turns: number, words = 300): BaseMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    new HumanMessage(`Remember: the port of service ${String(turn)} is ${String(4000 + turn)}.`),
    new AIMessage(`Noted for turn ${String(turn)}. ${'It took some thought. '.repeat(words / 5)}`),
  ]).flat();
}

describe('a summary', () => {
  it('that fails with 429 replaces nothing by its error: the next summariser writes', async () => {
    let asked = 0;
    const summarizer = summarizeWith(async () => {
      asked += 1;
      throw Object.assign(new Error('429 Too Many Requests'), { status: 429 });
    });
    const { request, manager, store } = await thread(16_000, { summarizer });
    let compactions = 0;
    manager.on('compacted', () => {
      compactions += 1;
    });
    const messages = talk(60);
    for (let length = 2; length <= messages.length; length += 2) {
      const sent = await request([...messages.slice(0, length), new HumanMessage('go on')]);
      expect(textOf(sent)).not.toMatch(/429|Too Many/);
      expect(tokensOfPrompt(sent)).toBeLessThan(16_000);
    }
    expect(asked).toBeGreaterThan(0);
    expect(compactions).toBeGreaterThan(0);
    let logged = '';
    for await (const { payload } of store.events.read('s')) logged += JSON.stringify(payload);
    for (let turn = 0; turn < 60; turn += 1) expect(logged).toContain(`is ${String(4000 + turn)}.`);
  });

  it('sees all of a long history, not its last 4,000 tokens: 190 of 190 facts, and pinned ones stay in view', async () => {
    let seen = '';
    const summarizer = summarizeWith(
      async ({ prompt }) => {
        seen += prompt;
        return { text: '## Goal\n- ports', finish: 'stop' };
      },
      { chunkTokens: 20_000 },
    );
    const pinned = ['The port of service 3 is 4003.', 'Never touch vendor/.'];
    const { request, manager, store } = await thread(160_000, {
      summarizer,
      compaction: { pinned: () => pinned },
    });
    const messages = [...talk(190, 420), new HumanMessage('go on')];
    const before = await request(messages);
    expect(tokensOfPrompt(before)).toBeGreaterThan(75_000);
    const receipt = await manager.compact();
    expect(receipt?.window.compacted).toBe(true);
    const after = textOf(await request(messages));
    let logged = '';
    for await (const { payload } of store.events.read('s')) logged += JSON.stringify(payload);
    const facts = Array.from(
      { length: 190 },
      (_, turn) => `service ${String(turn)} is ${String(4000 + turn)}.`,
    );
    const reached = facts.filter((fact) => seen.includes(fact) || after.includes(fact));
    expect(reached).toHaveLength(190);
    expect(facts.filter((fact) => logged.includes(fact))).toHaveLength(190);
    for (const fact of pinned) expect(after).toContain(fact);
  });

  it.each(['$&', '$`', "$'", '$$', '$1', '{messages}', '{{messages}}', '%s'])(
    'is asked for with the words of the user as they are: %s',
    async (sign) => {
      const told = `keep ${sign} as ${sign} it is`;
      let prompt = '';
      const summarizer = summarizeWith(async (asked) => {
        prompt += asked.prompt;
        return { text: '## Goal\n- none', finish: 'stop' };
      });
      const { request, manager } = await thread(16_000, { summarizer });
      const asked = [...talk(2), new HumanMessage(told), new AIMessage('yes'), ...talk(20)];
      await request([...asked, new HumanMessage('go on')]);
      await manager.compact();
      expect(prompt).toContain(told);
    },
  );
});

/** Random histories; `late`: a result may come after the user has said something else. */
function histories(late: boolean): fc.Arbitrary<BaseMessage[]> {
  const turn = fc.record({
    calls: fc.integer({ min: 0, max: 3 }),
    words: fc.integer({ min: 1, max: 400 }),
    isLate: fc.boolean(),
  });
  return fc.array(turn, { minLength: 2, maxLength: 12 }).map((turns) =>
    turns.flatMap(({ calls, words, isLate }, place): BaseMessage[] => {
      const tool_calls = Array.from({ length: calls }, (_, index) => ({
        ...{ id: `c${String(place)}-${String(index)}`, name: 'read', args: { index } },
        type: 'tool_call' as const,
      }));
      const results = tool_calls.map(
        ({ id }) =>
          new ToolMessage({ content: `${id} ${'word '.repeat(words)}`, tool_call_id: id }),
      );
      const asked = new HumanMessage(`question ${String(place)}`);
      const made = tool_calls.length === 0 ? [] : [new AIMessage({ content: '', tool_calls })];
      const [last] = results;
      return late && isLate && last !== undefined
        ? [asked, ...made, ...results.slice(1), new HumanMessage('meanwhile'), last]
        : [asked, ...made, ...results, new AIMessage('done')];
    }),
  );
}

describe.each([false, true])('random histories, late results: %s', (late) => {
  it('give no request with a call or a result alone, however small the window', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        histories(late),
        fc.integer({ min: 2500, max: 9000 }),
        async (history, windowTokens) => {
          count += 1;
          const { request } = await thread(windowTokens, { compaction: false });
          const sent = await request([...history, new HumanMessage('and now?')]);
          expect(violationsOf(sent)).toEqual([]);
          expect(sent.at(-1)?.text).toBe('and now?');
        },
      ),
      { numRuns: Number(process.env['CTX_TEST_RUNS'] ?? 300) },
    );
    expect(count).toBeGreaterThan(0);
  }, 120_000);
});

/** What a request costs at Anthropic's price of five minutes, in input tokens that are not cached. */
const costOf = (cached: number, all: number): number => cached * 0.1 + (all - cached) * 1.25;

describe('clearing old results', () => {
  it('breaks the prefix at most seven times in 120 steps of 2,000 tokens and costs less than a third of sending everything, and keeps every result', async () => {
    const { request, call, manager } = await thread(200_000, { compaction: false });
    const state: BaseMessage[] = [new HumanMessage('go through it')];
    let before: string[] = [];
    let [breaks, cost, costOfAll, given] = [0, 0, 0, 0];
    for (let step = 0; step < 120; step += 1) {
      const sent = await request(state);
      const said = sent.map((message) => JSON.stringify(message.toDict()));
      const differs = before.findIndex((text, place) => said[place] !== text);
      if (differs >= 0) breaks += 1;
      const kept = differs < 0 ? before.length : differs;
      cost += costOf(tokensOfPrompt(sent.slice(0, kept)), tokensOfPrompt(sent));
      const all = tokensOfPrompt(state);
      costOfAll += costOf(given, all);
      given = all;
      before = said;
      state.push(...(await call(`c${String(step)}`, `${String(step)} ${'word '.repeat(1500)}`)));
    }
    expect(breaks).toBeLessThanOrEqual(7);
    expect(cost / costOfAll).toBeLessThan(0.32);
    expect(manager.size).toBe(120);
  });
});
