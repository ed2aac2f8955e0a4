import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { contextMiddleware } from './ai-sdk/context-middleware.ts';
import { contextPrepareStep } from './ai-sdk/context-prepare-step.ts';
import { prepareParams } from './anthropic/prepare-params.ts';
import type { ContextManager } from './context-manager/context-manager.ts';
import { createContextManager } from './context-manager/create-context-manager.ts';
import { contextMiddleware as langchainMiddleware } from './langchain/context-middleware.ts';
import { contextProcessor } from './mastra/context-processor.ts';
import { contextInputFilter } from './openai-agents/context-input-filter.ts';
import { contextModel } from './openai-agents/context-model.ts';

const text = 'a line of what was said and done in this turn\n'.repeat(40);

interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

const said: readonly Said[] = [
  ...Array.from({ length: 400 }, (_, turn) => ({
    role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `${String(turn)} ${text}`,
  })),
  { role: 'user', text: 'go on' },
];

type Ask = (manager: ContextManager, answerTokens: number) => Promise<unknown>;

const prompt = said.map(({ role, text: each }) => ({
  role,
  content: [{ type: 'text', text: each }],
}));
const plain = said.map(({ role, text: content }) => ({ role, content }));
const items = said.map(({ role, text: each }) =>
  role === 'user'
    ? { type: 'message', role, content: each }
    : {
        ...{ type: 'message', role, status: 'completed' },
        content: [{ type: 'output_text', text: each }],
      },
);
const chat = said.map(({ role, text: content }) => {
  const type = role === 'user' ? 'human' : 'ai';
  const data = { content };
  return { content, getType: () => type, toDict: () => ({ type, data }) };
});
const usage = { inputTokens: 0, outputTokens: 0 };
const noStream = () => Promise.reject(new Error('nothing is streamed here'));

function askLangchain(manager: ContextManager, request: object): Promise<unknown> {
  const fromStored = () => chat as never[];
  const middleware = langchainMiddleware(manager, { fromStored });
  const asked = { messages: [...chat] as never[], runtime: {}, ...request };
  return Promise.resolve(middleware.wrapModelCall(asked, () => '.'));
}

/** How each adapter is told how long the answer may be. */
const adapters: Readonly<Record<string, Ask>> = {
  manager: (manager, answerTokens) => manager.prepare(prompt as never[], { answerTokens }),
  anthropic: (manager, max_tokens) =>
    prepareParams(manager, { model: 'm', max_tokens, messages: plain }),
  'ai-sdk': (manager, maxOutputTokens) =>
    contextMiddleware(manager).transformParams({
      params: { prompt: prompt as never[], maxOutputTokens },
    }),
  'ai-sdk prepareStep': async (manager, maxOutputTokens) => {
    const doGenerate = (_options: { readonly prompt: object; readonly maxOutputTokens: number }) =>
      Promise.resolve({});
    const given = { doGenerate, doStream: noStream };
    const messages = prompt as never[];
    const { model } = await contextPrepareStep(manager)({ model: given, messages, stepNumber: 0 });
    return model.doGenerate({ prompt, maxOutputTokens });
  },
  'langchain, by the settings of the call': (manager, maxTokens) =>
    askLangchain(manager, { modelSettings: { maxTokens } }),
  'langchain, by the model': (manager, maxTokens) =>
    askLangchain(manager, { model: { maxTokens } }),
  mastra: async (manager, maxOutputTokens) => {
    const processor = contextProcessor(manager);
    const state = {};
    const modelSettings = { maxOutputTokens };
    const messageList = { stepStart: () => false };
    const step = { stepNumber: 0, messageList, tools: {}, modelSettings };
    await processor.processInputStep({ state, ...step });
    return processor.processLLMRequest({ prompt: prompt as never[], state });
  },
  'openai-agents': (manager, maxTokens) => {
    const getResponse = (_request: object) => Promise.resolve({ usage });
    const getStreamedResponse = () => (async function* () {})();
    const model = contextModel(manager, { getResponse, getStreamedResponse });
    return model.getResponse({ input: [...items] as never[], modelSettings: { maxTokens } });
  },
  'openai-agents, by the filter': (manager, maxTokens) =>
    contextInputFilter(manager)({
      agent: { modelSettings: { maxTokens } },
      modelData: { input: [...items] as never[] },
    }),
};

/** Tokens of the request that an adapter makes. */
async function tokensOf(ask: Ask, answerTokens: number): Promise<number> {
  const store = await openStore(memoryBackend());
  const model = { name: 'm', windowTokens: 100_000, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', compaction: false, model });
  let tokens = 0;
  manager.on('prepared', (receipt) => {
    tokens = receipt.tokens;
  });
  await ask(manager, answerTokens);
  await manager.end();
  return tokens;
}

describe('a request leaves the room that its answer may have', () => {
  it.each(Object.keys(adapters))('through %s', async (name) => {
    const ask = adapters[name];
    if (ask === undefined) throw new TypeError(`there is no adapter ${name}`);
    const long = await tokensOf(ask, 40_000);
    const short = await tokensOf(ask, 1000);
    expect(long).toBeGreaterThan(10_000);
    expect(long).toBeLessThanOrEqual(60_000);
    expect(short).toBeGreaterThan(60_000);
    expect(short).toBeLessThanOrEqual(92_000);
  });
});
