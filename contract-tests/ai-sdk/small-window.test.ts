import { createContextManager } from '@ctx/agent-adapter';
import { contextMiddleware, contextPrepareStep, wrapTools } from '@ctx/agent-adapter/ai-sdk';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const windowTokens = 32_000;
const steps = 60;
const rules = Array.from(
  { length: 1200 },
  (_, at) => `Rule ${String(at)}: keep file ${String(at)} tidy.`,
);

const tools = {
  log: {
    description: 'Reads a log.',
    inputSchema: z.object({ n: z.number() }),
    execute: async ({ n }: { readonly n: number }) =>
      Array.from({ length: 110 }, (_, k) => `row ${String(n)} ${String(k)} ${String(k * 31)}`).join(
        '\n',
      ),
  },
};

type Wiring = 'middleware' | 'prepareStep';

/** Runs an agent with long instructions, and measures what reaches its model. */
async function run(version: 6 | 7, wiring: Wiring) {
  const store = await openStore(memoryBackend());
  const own = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model: own, compaction: false });
  const sizes: number[] = [];
  const texts: string[] = [];
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt, tools: offered }) => {
      const total =
        store.countTokens(JSON.stringify(prompt)) + store.countTokens(JSON.stringify(offered));
      sizes.push(total);
      for (const { role, content } of prompt) {
        if (typeof content === 'string' && role !== 'system') texts.push(content);
      }
      const isOver = sizes.length > steps;
      return {
        content: isOver
          ? [{ type: 'text', text: 'done' }]
          : [
              {
                type: 'tool-call',
                toolCallId: `c${String(sizes.length)}`,
                toolName: 'log',
                input: JSON.stringify({ n: sizes.length }),
              },
            ],
        finishReason: { unified: isOver ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  const common = { tools: wrapTools(manager, tools), prompt: 'go' };
  const step = wiring === 'prepareStep' ? { prepareStep: contextPrepareStep(manager) } : {};
  const middleware = contextMiddleware(manager);
  const isWrapped = wiring === 'middleware';
  if (version === 6) {
    const used = isWrapped ? ai6.wrapLanguageModel({ model, middleware }) : model;
    const stopWhen = ai6.stepCountIs(steps + 10);
    await ai6.generateText({ ...common, ...step, model: used, system: rules.join('\n'), stopWhen });
  } else {
    const used = isWrapped ? ai7.wrapLanguageModel({ model, middleware }) : model;
    const stopWhen = ai7.isStepCount(steps + 10);
    await ai7.generateText({
      ...common,
      ...step,
      model: used,
      instructions: rules.join('\n'),
      stopWhen,
    });
  }
  await manager.end();
  const usage = (await store.sessions.get('s'))?.document.token_usage;
  return { sizes, texts, learnt: usage?.total_input };
}

describe.each([6, 7] as const)(
  'the AI SDK %i with long instructions in a small window',
  (version) => {
    it.each(['middleware', 'prepareStep'] as const)(
      'sends no request over the window by %s, and learns from each',
      async (wiring) => {
        const { sizes, texts, learnt } = await run(version, wiring);
        expect(sizes).toHaveLength(steps + 1);
        expect(Math.max(...sizes)).toBeLessThan(windowTokens);
        expect(learnt).toBe(sizes.reduce((sum, size) => sum + size, 0));
        expect(texts).toEqual([]);
      },
    );
  },
);

describe.each([6, 7] as const)('the AI SDK %i where messages were cut away', (version) => {
  it.each(['middleware', 'prepareStep'] as const)(
    'is given every message of the prompt in parts by %s',
    async (wiring) => {
      const store = await openStore(memoryBackend());
      const own = { name: 'm', windowTokens: 8000, price: 'anthropic-5m' };
      const manager = createContextManager({
        store,
        sessionId: 's',
        model: own,
        compaction: false,
      });
      const prompts: { readonly content: unknown }[] = [];
      const model = new MockLanguageModelV3({
        doGenerate: async ({ prompt }) => {
          prompts.push(...prompt);
          return {
            content: [{ type: 'text', text: 'ok' }],
            finishReason: { unified: 'stop', raw: undefined },
            usage: {
              inputTokens: {
                total: 10,
                noCache: undefined,
                cacheRead: undefined,
                cacheWrite: undefined,
              },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
            warnings: [],
          };
        },
      });
      const turn = (at: number) => [
        { role: 'user' as const, content: `question ${String(at)} ${'word '.repeat(300)}` },
        { role: 'assistant' as const, content: `answer ${String(at)} ${'word '.repeat(300)}` },
      ];
      const messages = [
        ...Array.from({ length: 40 }, (_, at) => turn(at)).flat(),
        { role: 'user' as const, content: 'and now?' },
      ];
      const step = wiring === 'prepareStep' ? { prepareStep: contextPrepareStep(manager) } : {};
      const middleware = contextMiddleware(manager);
      const isWrapped = wiring === 'middleware';
      if (version === 6) {
        const used = isWrapped ? ai6.wrapLanguageModel({ model, middleware }) : model;
        await ai6.generateText({ model: used, messages, ...step });
      } else {
        const used = isWrapped ? ai7.wrapLanguageModel({ model, middleware }) : model;
        await ai7.generateText({ model: used, messages, ...step });
      }
      expect(JSON.stringify(prompts)).toContain('[ctx:');
      expect(prompts.filter(({ content }) => !Array.isArray(content))).toEqual([]);
    },
  );
});
