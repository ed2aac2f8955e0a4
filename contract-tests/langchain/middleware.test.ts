import { createContextManager } from '@ctx/agent-adapter';
import { contextTools } from '@ctx/agent-adapter/langchain';
import { CtxError } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ContextManagerOptions } from '../../packages/agent-adapter/src/context-manager/manager-settings.ts';
import { ctxMiddleware } from './run-agent.ts';

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

async function open(
  options: Partial<ContextManagerOptions> = {},
  backend: StoreBackend = memoryBackend(),
) {
  const store = await openStore(backend);
  const manager = createContextManager({ store, sessionId: 's', model, ...options });
  return { store, manager, middleware: ctxMiddleware(manager) };
}

const big = 'a line of a long result\n'.repeat(20_000);

const schema = z.object({});

const ask = { messages: [new HumanMessage('go')] };

const call = (name: string, id = 'c1') => [{ name, args: {}, id }];

function deeplyFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deeplyFrozen(member);
  }
  return value;
}

describe('a result of a tool', () => {
  it('keeps its artifact, name and status when its content gives way to a preview', async () => {
    const { middleware, manager } = await open();
    const result = deeplyFrozen(
      new ToolMessage({
        ...{ content: big, tool_call_id: 'c1', name: 'read', status: 'success' as const },
        artifact: { own: true },
        id: 'm1',
      }),
    );
    const toolCall = { name: 'read', args: {}, id: 'c1', type: 'tool_call' as const };
    const request = deeplyFrozen({ toolCall, runtime: {} });
    const made = await middleware.wrapToolCall(request, () => result);
    expect(made).not.toBe(result);
    expect(made).toBeInstanceOf(ToolMessage);
    expect(made).toMatchObject({
      artifact: { own: true },
      name: 'read',
      status: 'success',
      id: 'm1',
    });
    expect(made.text.length).toBeLessThan(5000);
    const [output] = await manager.loadContexts(
      (await manager.getAllPointers()).map(({ id }) => id),
    );
    expect(output?.result).toBe(big);
    const again = await middleware.wrapToolCall(request, () => result);
    expect(again.text).toBe(made.text);
    expect(manager.size).toBe(1);
  });

  it('is the tool’s own object where nothing left', async () => {
    const { middleware } = await open();
    const result = new ToolMessage({ content: 'small', tool_call_id: 'c1' });
    const toolCall = { name: 'read', args: {}, id: 'c1' };
    expect(await middleware.wrapToolCall({ toolCall, runtime: {} }, () => result)).toBe(result);
  });

  it('leaves content with images as it is', async () => {
    const { middleware } = await open();
    const image = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${'A'.repeat(50_000)}` },
    };
    const result = new ToolMessage({ content: [image], tool_call_id: 'c1' });
    const toolCall = { name: 'shot', args: {}, id: 'c1' };
    expect(await middleware.wrapToolCall({ toolCall, runtime: {} }, () => result)).toBe(result);
  });

  it('leaves a pointer where it comes inside of a command, which stays a command', async () => {
    const { middleware } = await open();
    const message = new ToolMessage({ content: big, tool_call_id: 'c1' });
    const toolCall = { name: 'read', args: {}, id: 'c1' };
    for (const update of [
      { messages: [message], other: 7 },
      [
        ['messages', [message]],
        ['other', 7],
      ] as [string, unknown][],
    ]) {
      const command = new Command({ update, goto: 'next' });
      const made = await middleware.wrapToolCall({ toolCall, runtime: {} }, () => command);
      expect(made).toBeInstanceOf(Command);
      expect(made.goto).toEqual(command.goto);
      const said = JSON.stringify(made.update);
      expect(said.length).toBeLessThan(8000);
      expect(said).toContain('ctx://outputs/');
      expect(command.update).toBe(update);
    }
    const plain = new Command({ goto: 'next' });
    expect(await middleware.wrapToolCall({ toolCall, runtime: {} }, () => plain)).toBe(plain);
  });

  it('goes through whole where the store fails, and the agent goes on', async () => {
    const broken: StoreBackend = {
      ...memoryBackend(),
      write: async () => {
        throw new CtxError('CTX_STORE_FULL', 'no space left');
      },
    };
    const good = memoryBackend();
    let isBroken = false;
    const backend = {
      ...good,
      write: (...args: Parameters<StoreBackend['write']>) =>
        isBroken ? broken.write(...args) : good.write(...args),
    };
    const { middleware, manager } = await open({}, backend);
    const codes: string[] = [];
    manager.on('degraded', ({ code }) => codes.push(code));
    isBroken = true;
    const read = tool(() => 'result '.repeat(4000), { name: 'read', description: 'r', schema });
    const fake = fakeModel().respondWithTools(call('read')).respond(new AIMessage('done'));
    const agent = createAgent({ model: fake, tools: [read], middleware: [middleware] });
    const { messages } = await agent.invoke(ask);
    expect(messages.at(-1)?.text).toBe('done');
    expect(messages.find((each) => ToolMessage.isInstance(each))?.text).toContain('result result');
    expect(codes).toContain('CTX_STORE_FULL');
  });
});

describe('a tool that throws', () => {
  it('is recorded, and its own error is thrown on', async () => {
    const { middleware, manager } = await open();
    const error = new Error('disk on fire');
    const toolCall = { name: 'read', args: {}, id: 'c1' };
    const run = middleware.wrapToolCall({ toolCall, runtime: {} }, async () => {
      throw error;
    });
    await expect(run).rejects.toBe(error);
    const [output] = await manager.loadContexts(
      (await manager.getAllPointers()).map(({ id }) => id),
    );
    expect(output?.result).toBe('Error: disk on fire');
  });

  it('is not recorded where that is an interrupt, or the call was called off', async () => {
    const { middleware, manager } = await open();
    const interrupt = Object.assign(new Error('wait'), { is_bubble_up: true });
    const toolCall = { name: 'read', args: {}, id: 'c1' };
    const throwing = (error: Error) => async () => {
      throw error;
    };
    await expect(
      middleware.wrapToolCall({ toolCall, runtime: {} }, throwing(interrupt)),
    ).rejects.toBe(interrupt);
    const signal = AbortSignal.abort();
    await expect(
      middleware.wrapToolCall({ toolCall, runtime: { signal } }, throwing(new Error('off'))),
    ).rejects.toThrow('off');
    expect(manager.size).toBe(0);
  });
});

describe('a stream of LangChain', () => {
  it('comes through, its usage is learned from, and the state is as after a plain call', async () => {
    const { middleware, manager, store } = await open();
    const answer = Object.assign(new AIMessage('hello there'), {
      usage_metadata: {
        input_tokens: 120,
        output_tokens: 7,
        total_tokens: 127,
        input_token_details: { cache_read: 100 },
      },
    });
    const agent = createAgent({
      model: fakeModel().respond(answer),
      tools: [],
      middleware: [middleware],
    });
    const said: string[] = [];
    for await (const [chunk] of await agent.stream(ask, { streamMode: 'messages' })) {
      if (AIMessage.isInstance(chunk) || AIMessageChunk.isInstance(chunk)) said.push(chunk.text);
    }
    expect(said.join('')).toContain('hello there');
    await manager.end();
    const counted = (await store.sessions.get('s'))?.document.token_usage;
    expect([counted?.total_input, counted?.total_output]).toEqual([120, 7]);
  });

  it('that is called off leaves nothing half recorded, and the thread goes on', async () => {
    const { middleware, manager, store } = await open();
    const controller = new AbortController();
    const slow = tool(
      () =>
        new Promise<string>((_resolve, reject) => {
          controller.signal.addEventListener('abort', () => {
            reject(new Error('called off'));
          });
          controller.abort();
        }),
      { name: 'slow', description: 's', schema },
    );
    const fake = fakeModel().respondWithTools(call('slow'));
    const checkpointer = new MemorySaver();
    const settings = { tools: [slow], middleware: [middleware], checkpointer };
    const config = { configurable: { thread_id: 't' } };
    const agent = createAgent({ model: fake, ...settings });
    await expect(agent.invoke(ask, { ...config, signal: controller.signal })).rejects.toThrow();
    expect(manager.size).toBe(0);
    const later = fakeModel().respond(new AIMessage('done'));
    const again = createAgent({ model: later, ...settings });
    const { messages } = await again.invoke({ messages: [new HumanMessage('and now?')] }, config);
    expect(messages.at(-1)?.text).toBe('done');
    // The call that has no answer got one in the request.
    const prompt = later.calls[0]?.messages ?? [];
    const answered = prompt.filter((each) => ToolMessage.isInstance(each));
    expect(answered.map(({ tool_call_id }) => tool_call_id)).toEqual(['c1']);
    await manager.end();
    expect((await store.sessions.get('s'))?.document.token_usage.total_output ?? 0).toBe(0);
  });
});

describe('a request that the provider refuses as too long', () => {
  it('is made again with less', async () => {
    const { middleware } = await open();
    const message = 'prompt is too long: 20000 tokens > 10000 maximum';
    const refusal = Object.assign(new Error(message), {
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error', message } },
    });
    const sizes: number[] = [];
    const fake = fakeModel()
      .respond((messages) => {
        sizes.push(JSON.stringify(messages).length);
        return refusal;
      })
      .respond((messages) => {
        sizes.push(JSON.stringify(messages).length);
        return new AIMessage('ok');
      });
    const pairs = Array.from({ length: 25 }, (_, index) => [
      new HumanMessage(`question ${String(index)} ${'word '.repeat(200)}`),
      new AIMessage(`answer ${String(index)} ${'word '.repeat(200)}`),
    ]);
    const agent = createAgent({ model: fake, tools: [], middleware: [middleware] });
    const { messages } = await agent.invoke({
      messages: [...pairs.flat(), new HumanMessage('and now?')],
    });
    expect(messages.at(-1)?.text).toBe('ok');
    expect(sizes[1] ?? 0).toBeLessThan((sizes[0] ?? 0) * 0.8);
  });

  it('leaves every other error to the caller', async () => {
    const { middleware } = await open();
    const fake = fakeModel().alwaysThrow(new Error('no such model'));
    const agent = createAgent({ model: fake, tools: [], middleware: [middleware] });
    await expect(agent.invoke(ask)).rejects.toThrow('no such model');
    expect(fake.callCount).toBe(1);
  });
});

describe('one agent for many threads', () => {
  it('has a manager for each of them', async () => {
    const store = await openStore(memoryBackend());
    const managers = new Map<string, ReturnType<typeof createContextManager>>();
    const managerOf = (threadId = 'none') => {
      const known = managers.get(threadId);
      const manager = known ?? createContextManager({ store, sessionId: threadId, model });
      managers.set(threadId, manager);
      return manager;
    };
    const read = tool(() => big, { name: 'read', description: 'r', schema });
    const fake = fakeModel()
      .respondWithTools(call('read'))
      .respond(new AIMessage('one'))
      .respond(new AIMessage('two'));
    const agent = createAgent({
      ...{ model: fake, tools: [read], checkpointer: new MemorySaver() },
      middleware: [ctxMiddleware(managerOf)],
    });
    await agent.invoke(ask, { configurable: { thread_id: 'a' } });
    await agent.invoke(ask, { configurable: { thread_id: 'b' } });
    expect([...managers.keys()]).toEqual(['a', 'b']);
    expect(managers.get('a')?.size).toBe(1);
    expect(managers.get('b')?.size).toBe(0);
  });
});

describe('the tools of a manager', () => {
  it('read back what left, and their answers are not offloaded', async () => {
    const { middleware, manager } = await open();
    const lines = Array.from({ length: 30_000 }, (_, line) => `line ${String(line)}`).join('\n');
    const read = tool(() => lines, { name: 'read', description: 'r', schema });
    let pointer = '';
    const fake = fakeModel()
      .respondWithTools(call('read'))
      .respond((messages) => {
        pointer = /ctx:\/\/outputs\/[\w-]+/.exec(messages.at(-1)?.text ?? '')?.[0] ?? '';
        const args = { pointer, pattern: 'line 17017' };
        return new AIMessage({
          content: '',
          tool_calls: [{ name: 'ctx_read_output', args, id: 'c2', type: 'tool_call' }],
        });
      })
      .respond(new AIMessage('done'));
    const agent = createAgent({
      ...{ model: fake, tools: [read, ...contextTools(manager, tool)], middleware: [middleware] },
    });
    const { messages } = await agent.invoke(ask);
    const answer = messages.find(
      (each) => ToolMessage.isInstance(each) && each.tool_call_id === 'c2',
    );
    expect(answer?.text).toContain('line 17017');
    expect(answer).toMatchObject({ artifact: undefined });
  });
});
