import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { contextMiddleware } from '../ai-sdk/context-middleware.ts';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { createContextManager } from '../context-manager/create-context-manager.ts';
import { contextProcessor } from '../mastra/context-processor.ts';
import { contextInputFilter } from '../openai-agents/context-input-filter.ts';

const result = 'a line of the log that is said again\n'.repeat(60);

/** Prompts of the AI SDK, which creates new objects for each request. */
function promptOf(turns: number): object[] {
  return Array.from({ length: turns }, (_, turn) => {
    const call = { toolCallId: `c${String(turn)}`, toolName: 'look' };
    const input = { path: 'a.ts', options: { deep: [{ line: `l${String(turn)}` }] } };
    const output = { type: 'text', value: `${String(turn)} ${result}` };
    return [
      { role: 'user', content: [{ type: 'text', text: `look ${String(turn)}` }] },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ];
  }).flat();
}

/** Items of OpenAI's Agents SDK. */
function itemsOf(turns: number): object[] {
  return Array.from({ length: turns }, (_, turn) => {
    const call = { callId: `c${String(turn)}`, name: 'look', status: 'completed' };
    const output = { type: 'text', text: `${String(turn)} ${result}` };
    const text = { type: 'input_text', text: `look ${String(turn)}` };
    return [
      { type: 'message', role: 'user', content: [text] },
      { type: 'function_call', ...call, arguments: '{"path":"a.ts"}' },
      { type: 'function_call_result', ...call, output },
    ];
  }).flat();
}

/** Changes every object of a request, at every depth, as a middleware that marks the newest block does. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    spoil(member);
    if (typeof member === 'string') Reflect.set(value, key, 'HACK');
  }
  if (!Array.isArray(value)) Reflect.set(value, 'cache_control', { type: 'ephemeral' });
}

type Ask = (turns: number) => Promise<unknown>;

const adapters: Readonly<Record<string, (manager: ContextManager) => Ask>> = {
  'the middleware of the AI SDK': (manager) => async (turns) => {
    const params = { prompt: promptOf(turns) as never[] };
    return (await contextMiddleware(manager).transformParams({ params })).prompt;
  },
  'the processor of Mastra': (manager) => async (turns) => {
    const prompt = promptOf(turns) as never[];
    return (await contextProcessor(manager).processLLMRequest({ prompt })).prompt;
  },
  "the filter of OpenAI's Agents SDK": (manager) => async (turns) => {
    const modelData = { input: itemsOf(turns) as never[] };
    return (await contextInputFilter(manager)({ modelData })).input;
  },
};

async function asking(make: (manager: ContextManager) => Ask): Promise<Ask> {
  const store = await openStore(memoryBackend(), { clock: () => 0 });
  const model = { name: 'm', windowTokens: 6000, price: 'anthropic-5m' };
  return make(createContextManager({ store, sessionId: 's', compaction: false, model }));
}

describe('what an SDK is handed', () => {
  it.each(Object.entries(adapters))(
    'by %s reaches no later request, whatever is done to it',
    async (_name, make) => {
      const [spoiled, clean] = [await asking(make), await asking(make)];
      for (let turns = 1; turns <= 25; turns += 1) {
        const answer = await spoiled(turns);
        expect(answer).toEqual(await clean(turns));
        spoil(answer);
      }
    },
  );
});
