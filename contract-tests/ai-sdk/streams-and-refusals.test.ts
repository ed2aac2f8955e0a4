import { createContextManager } from '@ctx/agent-adapter';
import { contextMiddleware } from '@ctx/agent-adapter/ai-sdk';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { describe, expect, it } from 'vitest';

const usage = {
  inputTokens: { total: 120, noCache: 20, cacheRead: 100, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};

const finishReason = { unified: 'stop' as const, raw: undefined };

type Part =
  Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer Each>
    ? Each
    : never;

function streamOf(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const answer: readonly Part[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'he' },
  { type: 'text-delta', id: 't', delta: 'llo' },
  { type: 'text-end', id: 't' },
  { type: 'finish', usage, finishReason },
];

async function open(windowTokens = 16_000) {
  const store = await openStore(memoryBackend());
  const model = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
  return { store, manager };
}

describe.each([6, 7] as const)('a stream of the AI SDK %i', (version) => {
  it('comes through part by part, and its usage is learned from', async () => {
    const { store, manager } = await open();
    const mock = new MockLanguageModelV3({ doStream: async () => ({ stream: streamOf(answer) }) });
    const middleware = contextMiddleware(manager);
    const { textStream } =
      version === 6
        ? ai6.streamText({
            model: ai6.wrapLanguageModel({ model: mock, middleware }),
            prompt: 'say hello',
          })
        : ai7.streamText({
            model: ai7.wrapLanguageModel({ model: mock, middleware }),
            prompt: 'say hello',
          });
    const parts: string[] = [];
    for await (const part of textStream) parts.push(part);
    expect(parts.join('')).toBe('hello');
    await manager.end();
    const counted = (await store.sessions.get('s'))?.document.token_usage;
    expect([counted?.total_input, counted?.total_output]).toEqual([120, 7]);
  });
});

/** As Anthropic says it. */
function refusal(): Error {
  const message = 'prompt is too long: 20000 tokens > 10000 maximum';
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  return new ai6.APICallError({
    message,
    url: 'http://localhost',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: JSON.stringify(body),
    isRetryable: false,
  });
}

describe('a prompt that the provider refuses as too long', () => {
  it('is sent again with less, and the run goes on', async () => {
    const { manager } = await open(30_000);
    let calls = 0;
    const sizes: number[] = [];
    const mock = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => {
        calls += 1;
        sizes.push(JSON.stringify(prompt).length);
        if (calls === 1) throw refusal();
        return { content: [{ type: 'text', text: 'ok' }], finishReason, usage, warnings: [] };
      },
    });
    const model = ai6.wrapLanguageModel({ model: mock, middleware: contextMiddleware(manager) });
    const pairs = Array.from({ length: 40 }, (_, index) => [
      { role: 'user' as const, content: `question ${String(index)} ${'word '.repeat(200)}` },
      { role: 'assistant' as const, content: `answer ${String(index)} ${'word '.repeat(200)}` },
    ]);
    const messages = [...pairs.flat(), { role: 'user' as const, content: 'and now?' }];
    const { text } = await ai6.generateText({ model, messages, maxRetries: 0 });
    expect(text).toBe('ok');
    expect(calls).toBe(2);
    expect(sizes[1] ?? 0).toBeLessThan((sizes[0] ?? 0) * 0.7);
  });

  it('leaves every other error to the caller', async () => {
    const { manager } = await open();
    const mock = new MockLanguageModelV3({
      doGenerate: async () => {
        throw new Error('no such model');
      },
    });
    const model = ai6.wrapLanguageModel({ model: mock, middleware: contextMiddleware(manager) });
    const run = ai6.generateText({ model, prompt: 'hello', maxRetries: 0 });
    await expect(run).rejects.toThrow('no such model');
    expect(mock.doGenerateCalls).toHaveLength(1);
  });
});
