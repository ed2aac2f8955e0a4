import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext } from '@ctx/agent-adapter/ai-sdk';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSqliteStore } from '@ctx/store-sqlite';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { describeWithContext } from '../with-context-laws.ts';
import { waysToTry } from '../ways-to-try.ts';
import { agent6, agent7, models6, models7 } from './agents.ts';

describe('withContext for the AI SDK 6', () => {
  describe.each(waysToTry(models6))('with %s', (_name, model) => {
    describeWithContext((url, options) => agent6(model(url), options));
  });
});

describe('withContext for the AI SDK 7', () => {
  describe.each(waysToTry(models7))('with %s', (_name, model) => {
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
