import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { createContextManager } from '../context-manager/create-context-manager.ts';
import { contextProcessor } from './context-processor.ts';
import type { ToolInvocationPart } from './host-types.ts';

const log = Array.from({ length: 4000 }, (_, line) => `test ${String(line)} passed`).join('\n');

async function made(given?: ContextStore): Promise<ContextManager> {
  const store = given ?? (await openStore(memoryBackend()));
  const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };
  return createContextManager({ store, sessionId: 's', model, compaction: false });
}

/** A result on its way through the processor, and what was put in its place. */
async function shown(manager: ContextManager, result: unknown, providerExecuted = false) {
  const parts: ToolInvocationPart[] = [];
  const messageList = { updateToolInvocation: (part: ToolInvocationPart) => parts.push(part) };
  const call = { toolName: 'read_log', toolCallId: 'c1', args: { step: 1 } };
  await contextProcessor(manager).processToolResult(
    Object.freeze({ ...call, result, providerExecuted, messageList }),
  );
  return parts;
}

const text = (role: string, value: string) => ({ role, content: [{ type: 'text', text: value }] });

describe('contextProcessor', () => {
  it('shows the model a preview of a large result, and keeps the whole', async () => {
    const manager = await made();
    const [part] = await shown(manager, log);
    expect(part?.toolInvocation).toMatchObject({
      state: 'result',
      toolCallId: 'c1',
      args: { step: 1 },
    });
    expect(String(part?.toolInvocation.result)).toMatch(/ctx:\/\/outputs\//);
    const [pointer] = await manager.getAllPointers();
    const [output] = await manager.loadContexts([pointer?.id ?? '']);
    expect(output?.result).toBe(log);
  });

  it('leaves small results, and those of the provider, as they are', async () => {
    const manager = await made();
    expect(await shown(manager, { sum: 3 })).toEqual([]);
    expect(await shown(manager, log, true)).toEqual([]);
    expect(await manager.getAllPointers()).toHaveLength(1);
  });

  it.each([
    {
      kind: 'text',
      result: 'word '.repeat(800),
      output: { type: 'text', value: 'word '.repeat(800) },
    },
    {
      kind: 'value',
      result: { words: 'word '.repeat(800) },
      output: { type: 'json', value: { words: 'word '.repeat(800) } },
    },
  ])(
    'stores a small $kind once, although it comes again with the prompt',
    async ({ result, output }) => {
      const manager = await made();
      await shown(manager, result);
      const call = { toolCallId: 'c1', toolName: 'read_log' };
      const prompt = [
        text('user', 'Go'),
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { step: 1 } }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
      ];
      await contextProcessor(manager).processLLMRequest({ prompt });
      expect(await manager.getAllPointers()).toHaveLength(1);
    },
  );

  it('makes a prompt fit, whose messages are the own objects of the host where nothing changed', async () => {
    const processor = contextProcessor(await made());
    const system = { role: 'system', content: 'be brief' };
    const first = text('user', 'Go');
    const prompt = [system, first];
    const fitted = await processor.processLLMRequest({ prompt });
    expect(fitted.prompt[0]).toBe(system);
    expect(fitted.prompt[1]).toBe(first);
    const long = Array.from({ length: 30 }, (_, turn) => [
      text('user', `Part ${String(turn)}`),
      text('assistant', 'word '.repeat(800)),
    ]).flat();
    const shorter = await processor.processLLMRequest({
      prompt: [system, ...long, text('user', 'And?')],
    });
    expect(JSON.stringify(shorter.prompt).length / 4).toBeLessThan(16_000);
    expect(
      shorter.prompt.every(({ role, content }) => role === 'system' || Array.isArray(content)),
    ).toBe(true);
  });

  it('learns from the usage of an answer, but for one from a cache', async () => {
    const store = await openStore(memoryBackend());
    const manager = await made(store);
    const processor = contextProcessor(manager);
    await processor.processLLMRequest({ prompt: [text('user', 'Go')] });
    const usage = { inputTokens: 1200, outputTokens: 30, cachedInputTokens: 1000 };
    const chunks = [
      { type: 'text-delta', payload: {} },
      { type: 'finish', payload: { output: { usage } } },
    ];
    await processor.processLLMResponse({ chunks, fromCache: true });
    await processor.processLLMResponse({ chunks, fromCache: false });
    await processor.processLLMResponse({
      chunks: [{ type: 'finish', payload: null }],
      fromCache: false,
    });
    await manager.end();
    const total = (await store.sessions.get('s'))?.document.token_usage;
    expect(total).toMatchObject({ total_input: 1200, total_output: 30 });
  });

  it('asks for another try where the request was too long, a bounded number of times', async () => {
    const processor = contextProcessor(await made());
    await processor.processLLMRequest({ prompt: [text('user', 'Go')] });
    const error = new Error('prompt is too long: 17000 tokens > 16000 maximum');
    expect(await processor.processAPIError({ error, retryCount: 0 })).toEqual({ retry: true });
    expect(await processor.processAPIError({ error, retryCount: 3 })).toEqual({ retry: false });
    const other = { error: new Error('bad key'), retryCount: 0 };
    expect(await processor.processAPIError(other)).toEqual({ retry: false });
  });
});
