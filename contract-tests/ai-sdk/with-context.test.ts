import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext } from '@ctx/agent-adapter/ai-sdk';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSqliteStore } from '@ctx/store-sqlite';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { createAnthropic as anthropic6 } from 'ai6-anthropic';
import { createGoogleGenerativeAI as google6 } from 'ai6-google';
import { createOpenAI as openai6 } from 'ai6-openai';
import * as ai7 from 'ai7';
import { createAnthropic as anthropic7 } from 'ai7-anthropic';
import { createGoogleGenerativeAI as google7 } from 'ai7-google';
import { createOpenAI as openai7 } from 'ai7-openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import { describeWithContext, type LawfulAgent, type LawOptions } from '../with-context-laws.ts';
import { waysToTry } from '../ways-to-try.ts';

const part = z.object({ part: z.string() });

const tools = {
  read: {
    description: 'Reads a file.',
    inputSchema: part,
    execute: async ({ part: name }: { readonly part: string }) => textOfPart(name),
  },
  look: {
    description: 'Looks something up.',
    inputSchema: part,
    execute: async ({ part: name }: { readonly part: string }) => foundOf(name),
  },
  write: {
    description: 'Writes a file.',
    inputSchema: z.object({ path: z.string(), content: z.string() }),
    execute: async () => 'written',
  },
};

type History = ai6.ModelMessage[];

async function agent6(
  plain: ai6.LanguageModel,
  options: LawOptions,
): Promise<LawfulAgent<History>> {
  const { model, tools: offered, end } = await withContext({ model: plain, tools, ...options });
  return {
    end,
    round: async (before = [], said) => {
      const messages: History = [...before, { role: 'user', content: said }];
      const given = { model, tools: offered, messages, maxRetries: 0, system: 'be brief' };
      const answered = await ai6.generateText({ ...given, stopWhen: ai6.stepCountIs(10) });
      return { history: [...messages, ...answered.response.messages], text: answered.text };
    },
  };
}

async function agent7(
  plain: ai7.LanguageModel,
  options: LawOptions,
): Promise<LawfulAgent<ai7.ModelMessage[]>> {
  const { model, tools: offered, end } = await withContext({ model: plain, tools, ...options });
  return {
    end,
    round: async (before = [], said) => {
      const messages: ai7.ModelMessage[] = [...before, { role: 'user', content: said }];
      const given = { model, tools: offered, messages, maxRetries: 0, instructions: 'be brief' };
      const answered = await ai7.generateText({ ...given, stopWhen: ai7.isStepCount(10) });
      return { history: [...messages, ...answered.responseMessages], text: answered.text };
    },
  };
}

const apiKey = 'none';

describe('withContext for the AI SDK 6', () => {
  const ways = [
    ['openai responses', (baseURL: string) => openai6({ baseURL, apiKey })('gpt-5')],
    ['openai chat', (baseURL: string) => openai6({ baseURL, apiKey }).chat('gpt-4.1')],
    ['anthropic', (baseURL: string) => anthropic6({ baseURL, apiKey })('claude-sonnet-4-5')],
    ['google', (baseURL: string) => google6({ baseURL, apiKey })('gemini-2.5-pro')],
  ] as const;
  describe.each(waysToTry(ways))('with %s', (_name, model) => {
    describeWithContext((url, options) => agent6(model(url), options));
  });
});

describe('withContext for the AI SDK 7', () => {
  const ways = [
    ['openai responses', (baseURL: string) => openai7({ baseURL, apiKey })('gpt-5')],
    ['openai chat', (baseURL: string) => openai7({ baseURL, apiKey }).chat('gpt-4.1')],
    ['anthropic', (baseURL: string) => anthropic7({ baseURL, apiKey })('claude-sonnet-4-5')],
    ['google', (baseURL: string) => google7({ baseURL, apiKey })('gemini-2.5-pro')],
  ] as const;
  describe.each(waysToTry(ways))('with %s', (_name, model) => {
    describeWithContext((url, options) => agent7(model(url), options), { isLong: true });
  });
});

const usage = {
  inputTokens: { total: 120, noCache: 20, cacheRead: 100, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};
const finishReason = { unified: 'stop' as const, raw: undefined };

/** A model that says a text, whole or as a stream. */
const saying = (text: string): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    doGenerate: async () => ({
      ...{ content: [{ type: 'text', text }], finishReason, usage, warnings: [] },
    }),
    doStream: async () => ({
      stream: ai6.simulateReadableStream({
        chunks: [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          { type: 'text-end', id: 't' },
          { type: 'finish', usage, finishReason },
        ],
      }),
    }),
  });

describe('withContext for the AI SDK', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('keeps the session in the store that `ctx` shows where none is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-default-store-'));
    vi.stubEnv('CTX_STORE', '');
    for (const name of ['XDG_DATA_HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, folder);
    {
      await using context = await withContext({ model: saying('hello'), session: 'my-session' });
      await ai6.generateText({ model: context.model, prompt: 'hi' });
    }
    const store = await openSqliteStore({ path: join(folder, 'ctx', 'ctx.db') });
    const session = await store.sessions.get('my-session');
    expect(session?.document.token_usage.total_input).toBe(120);
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('leaves a store open that was handed in, and ends twice without harm', async () => {
    const store = await openStore(memoryBackend());
    const { model, end } = await withContext({ model: saying('hello'), session: 's', store });
    await ai7.generateText({ model, prompt: 'hi' });
    await end();
    await end();
    expect((await store.sessions.get('s'))?.document.token_usage.total_output).toBe(7);
  });

  it('lets streams and structured answers through as they are', async () => {
    const store = await openStore(memoryBackend());
    const { model } = await withContext({ model: saying('{"age":7}'), session: 's', store });
    const parts: string[] = [];
    for await (const each of ai7.streamText({ model, prompt: 'hi' }).textStream) parts.push(each);
    expect(parts.join('')).toBe('{"age":7}');
    const schema = z.object({ age: z.number() });
    const output6 = ai6.Output.object({ schema });
    expect((await ai6.generateText({ model, prompt: 'hi', output: output6 })).output.age).toBe(7);
    const output7 = ai7.Output.object({ schema });
    expect((await ai7.generateText({ model, prompt: 'hi', output: output7 })).output.age).toBe(7);
  });

  it('ends with the host’s abort, and counts nothing of what was not answered', async () => {
    const store = await openStore(memoryBackend());
    const controller = new AbortController();
    const plain = new MockLanguageModelV3({
      doGenerate: async ({ abortSignal }) => {
        controller.abort(new Error('enough'));
        abortSignal?.throwIfAborted();
        throw new Error('the signal did not arrive');
      },
    });
    const { model, end } = await withContext({ model: plain, session: 's', store });
    const { signal: abortSignal } = controller;
    const asking = ai7.generateText({ model, prompt: 'hi', abortSignal, maxRetries: 0 });
    await expect(asking).rejects.toThrow('enough');
    await end();
    expect((await store.sessions.get('s'))?.document.token_usage.total_input ?? 0).toBe(0);
  });

  it('says what to do where a model is given by its name', async () => {
    const asking = withContext({ model: 'openai/gpt-5', session: 's', store: 'memory:' });
    await expect(asking).rejects.toThrow('pass the model itself, not its name');
  });
});
