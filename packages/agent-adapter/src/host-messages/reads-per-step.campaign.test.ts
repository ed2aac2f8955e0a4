import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { contextMiddleware } from '../ai-sdk/context-middleware.ts';
import { contextPrepareStep } from '../ai-sdk/context-prepare-step.ts';
import { prepareParams } from '../anthropic/prepare-params.ts';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { createContextManager } from '../context-manager/create-context-manager.ts';
import { onlyGrows } from '../context-manager/history/grown-lists.ts';
import { contextMiddleware as langchainMiddleware } from '../langchain/context-middleware.ts';
import { contextProcessor } from '../mastra/context-processor.ts';
import { contextModel } from '../openai-agents/context-model.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly text: string;
}

/** How a host says what it was told, what a step did, and hands its list over. */
interface Host {
  readonly task: object;
  readonly step: (call: Call) => readonly object[];
  /** Whether the host makes its objects anew for each request. */
  readonly isMadeAnew?: boolean;
  readonly connect: (manager: ContextManager) => (list: never[]) => Promise<unknown>;
}

const text = 'Mend the build.';

const promptHost: Omit<Host, 'connect'> = {
  task: { role: 'user', content: [{ type: 'text', text }] },
  step: ({ id: toolCallId, name: toolName, input, text: value }) => {
    const own = { toolCallId, toolName };
    const output = { type: 'text', value };
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...own, input }] },
      { role: 'tool', content: [{ type: 'tool-result', ...own, output }] },
    ];
  },
  isMadeAnew: true,
};

/** A message of LangChain, as far as it is looked at. */
function chatMessage(type: string, data: object): object {
  return {
    ...{ content: '', ...data },
    getType: () => type,
    toDict: () => ({ type, data }),
  };
}

const usage = { inputTokens: 0, outputTokens: 0 };

const managerHost: Host = {
  task: promptHost.task,
  step: ({ id, name, input, text: value }) => {
    const content = [{ type: 'text', text: value }];
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content }] },
    ];
  },
  connect: (manager) => (list) => manager.prepare(list),
};

const hosts: Readonly<Record<string, Host>> = {
  manager: managerHost,
  'manager, of objects created again': { ...managerHost, isMadeAnew: true },
  anthropic: {
    task: { role: 'user', content: text },
    step: ({ id, name, input, text: content }) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ],
    connect: (manager) => (messages) => prepareParams(manager, { model: 'm', messages }),
  },
  'openai-agents': {
    task: { type: 'message', role: 'user', content: text },
    step: ({ id: callId, name, input, text: value }) => {
      const own = { callId, name, status: 'completed' };
      return [
        { type: 'function_call', ...own, arguments: JSON.stringify(input) },
        { type: 'function_call_result', ...own, output: { type: 'text', text: value } },
      ];
    },
    connect: (manager) => {
      const getResponse = (_request: object) => Promise.resolve({ usage });
      const getStreamedResponse = () => (async function* () {})();
      const model = contextModel(manager, { getResponse, getStreamedResponse });
      return (input) => model.getResponse({ input });
    },
  },
  langchain: {
    task: chatMessage('human', { content: text }),
    step: ({ id, name, input, text: content }) => [
      chatMessage('ai', { content: '', tool_calls: [{ id, name, args: input }] }),
      chatMessage('tool', { content, tool_call_id: id, name }),
    ],
    connect: (manager) => {
      const fromStored = (stored: readonly { type: string; data: object }[]): never[] =>
        stored.map(({ type, data }) => chatMessage(type, data) as never);
      const middleware = langchainMiddleware(manager, { fromStored });
      return (messages) => middleware.wrapModelCall({ messages, runtime: {} }, () => '.');
    },
  },
  'ai-sdk': {
    ...promptHost,
    connect: (manager) => {
      const middleware = contextMiddleware(manager);
      return (prompt) => middleware.transformParams({ params: { prompt } });
    },
  },
  'ai-sdk prepareStep': {
    ...promptHost,
    connect: (manager) => {
      const doGenerate = (_options: { readonly prompt: object }) => Promise.resolve({});
      const doStream = () => Promise.reject(new Error('nothing is streamed here'));
      const given = { doGenerate, doStream };
      const prepareStep = contextPrepareStep(manager);
      let stepNumber = 0;
      return async (prompt) => {
        const { model } = await prepareStep({ model: given, messages: prompt, stepNumber });
        stepNumber += 1;
        return model.doGenerate({ prompt });
      };
    },
  },
  mastra: {
    ...promptHost,
    connect: (manager) => {
      const processor = contextProcessor(manager);
      return (prompt) => processor.processLLMRequest({ prompt });
    },
  },
};

/** An object of which each look at a member is counted. */
function counted<Value extends object>(value: Value, counts: { reads: number }): Value {
  return new Proxy(value, {
    get: (target, name, receiver): unknown => {
      counts.reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
}

/** A list of which each look at a place is counted. */
function countedList<Value>(list: Value[], counts: { places: number }): Value[] {
  return new Proxy(list, {
    get: (target, name, receiver): unknown => {
      if (typeof name === 'string' && /^\d+$/.test(name)) counts.places += 1;
      return Reflect.get(target, name, receiver);
    },
  });
}

/** Looks at members of the host's messages, and at places of its list, in the last 40 steps of an agent. */
async function readsOfRun({ task, step, isMadeAnew = false, connect }: Host, steps: number) {
  const store = await openStore(memoryBackend(), { clock: () => 0 });
  const model = { name: 'm', windowTokens: 12_000, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model });
  const prepare = connect(manager);
  const counts = { reads: 0, places: 0 };
  let length = 0;
  const list = [task];
  const own: object[] = [];
  /** The same objects each time. */
  const shown = (): readonly object[] => {
    for (const each of list.slice(own.length)) own.push(counted(each, counts));
    return own;
  };
  for (let at = 0; at < steps; at += 1) {
    if (at === steps - 40) Object.assign(counts, { reads: 0, places: 0 });
    const call = { id: `c${String(at)}`, name: 'Bash', input: { command: `part ${String(at)}` } };
    const result = { ...call, text: `${String(at)} ${'passed '.repeat(200)}` };
    list.push(...step(result));
    // The host's own looks, where it makes them anew, are not counted.
    const given = isMadeAnew ? list.map((each) => counted({ ...each }, counts)) : [...shown()];
    await prepare(countedList(given, counts) as never[]);
    if (at >= steps - 40) length += list.length;
  }
  await manager.end();
  return { ...counts, length };
}

describe('a list that only grows', () => {
  it('is looked at from where it went on, and the list of a caller as a whole', async () => {
    const placesOf = async (isNoted: boolean): Promise<number> => {
      const store = await openStore(memoryBackend(), { clock: () => 0 });
      const manager = createContextManager({ store, sessionId: 's' });
      const counts = { places: 0 };
      const own: Message[] = [];
      const list = countedList(own, counts);
      if (isNoted) onlyGrows(list);
      for (let at = 0; at < 100; at += 1) {
        if (at === 90) counts.places = 0;
        const role = at % 2 === 0 ? 'user' : 'assistant';
        own.push({ role, content: [{ type: 'text', text: `part ${String(at)}` }] });
        await manager.prepare(list);
      }
      await manager.end();
      return counts.places;
    };
    expect(await placesOf(false)).toBeGreaterThan(10 * 90);
    expect(await placesOf(true)).toBeLessThanOrEqual(2 * 10);
  });
});

describe('a step of a long history', () => {
  it.each(Object.keys(hosts))(
    '%s: looks at no more of the messages than one of a short',
    async (name) => {
      const host = hosts[name];
      if (host === undefined) throw new TypeError(`there is no host ${name}`);
      const short = await readsOfRun(host, 120);
      const long = await readsOfRun(host, 480);
      expect(long.reads).toBeLessThanOrEqual(short.reads * 1.1);
      // Objects that the host keeps are known by what they are: one look at the list, without a look at them.
      const passes = host.isMadeAnew === true ? 0 : 1;
      const most = short.places + passes * (long.length - short.length);
      expect(long.places).toBeLessThanOrEqual(most * 1.1);
    },
  );
});
