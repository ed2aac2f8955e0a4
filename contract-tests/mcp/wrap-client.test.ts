import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { wrapClient } from '@ctx/agent-adapter/mcp';
import { type Message, validateMessages } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import type { ContextManagerOptions } from '../../packages/agent-adapter/src/context-manager/manager-settings.ts';
import {
  callsOfStep,
  hugeMarker,
  hugeStep,
  logOfStep,
  type ScriptedCall,
  scenarioSteps,
} from '../agent-scenario.ts';
import { textOf } from './connect.ts';
import { pageText, pixel, rows, scriptedTools } from './scripted-tools.ts';

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

function managerOf(
  store: ContextStore,
  options: Pick<ContextManagerOptions, 'compaction'> = { compaction: false },
): ContextManager {
  return createContextManager({ store, sessionId: 's', model, ...options });
}

async function setUp(options: { readonly structured?: 'keep' | 'drop' } = {}) {
  const store = await openStore(memoryBackend());
  const manager = managerOf(store);
  const plain = await scriptedTools();
  return { store, manager, plain, client: wrapClient(manager, plain, options) };
}

function turnOf(calls: readonly ScriptedCall[], texts: readonly string[]): readonly Message[] {
  return [
    { role: 'assistant', content: calls.map((call) => ({ type: 'tool_use', ...call })) },
    {
      role: 'user',
      content: calls.map(({ id }, index) => ({
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: texts[index] ?? '' }],
      })),
    },
  ];
}

/** Takes the steps of the scenario from one on; a request before each. */
async function run(
  { client, manager }: { readonly client: Client; readonly manager: ContextManager },
  history: Message[],
  steps: { readonly from: number; readonly to: number },
): Promise<(readonly Message[])[]> {
  const requests: (readonly Message[])[] = [];
  for (let step = steps.from; step <= steps.to; step += 1) {
    requests.push((await manager.prepare(history)).messages);
    const calls = callsOfStep(step);
    const answers = await Promise.all(
      calls.map(({ name, input }) => client.callTool({ name, arguments: input })),
    );
    history.push(...turnOf(calls, answers.map(textOf)));
  }
  requests.push((await manager.prepare(history)).messages);
  return requests;
}

async function logsIn(manager: ContextManager): Promise<ReadonlySet<unknown>> {
  const pointers = await manager.getAllPointers();
  const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
  return new Set(outputs.map(({ result }) => result));
}

/** What a model reads of a request. */
function wordsOf(request: readonly Message[]): string[] {
  const blocks = request.flatMap(({ content }) => content);
  return blocks.flatMap((block) => {
    if (block.type === 'tool_use') return [`${block.name} ${JSON.stringify(block.input)}`];
    const parts = block.type === 'tool_result' ? block.content : [block];
    return parts.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part)));
  });
}

const task: Message = { role: 'user', content: [{ type: 'text', text: 'Go through the log.' }] };

describe('a client of version 1 whose results are put away', () => {
  it('runs 60 steps in a small window: every request is valid and every output comes back', async () => {
    const host = await setUp();
    const requests = await run(host, [task], { from: 1, to: scenarioSteps });
    expect(requests).toHaveLength(scenarioSteps + 1);
    for (const request of requests) {
      expect(validateMessages(request)).toEqual([]);
      const text = JSON.stringify(request);
      expect(text).not.toContain(hugeMarker);
      expect(text.length / 4).toBeLessThan(16_000);
    }
    const logs = await logsIn(host.manager);
    for (let step = 1; step <= scenarioSteps; step += 1) {
      expect(logs.has(step % 13 === 0 ? 'this tool fails' : logOfStep(step))).toBe(true);
    }
    const breaks = requests.filter((request, index) =>
      (requests[index - 1] ?? []).some(
        (message, place) => JSON.stringify(request[place]) !== JSON.stringify(message),
      ),
    );
    expect(breaks.length).toBeGreaterThan(0);
    expect(breaks.length).toBeLessThan(12);
  });

  it('is compacted where stand-ins do not suffice: requests stay small, and every output comes back', async () => {
    const store = await openStore(memoryBackend());
    const manager = managerOf(store, {});
    let compactions = 0;
    manager.on('compacted', ({ window }) => {
      compactions += Number(window.compacted);
    });
    const client = wrapClient(manager, await scriptedTools());
    const said = (role: Message['role'], index: number): Message => {
      const text = `${role} says ${String(index)} ${'word '.repeat(120)}`;
      return { role, content: [{ type: 'text', text }] };
    };
    const chatter = Array.from({ length: 52 }, (_, index) => [
      said('user', index),
      said('assistant', index),
    ]).flat();
    const requests = await run({ client, manager }, [...chatter, task], {
      ...{ from: 1, to: scenarioSteps },
    });
    expect(compactions).toBeGreaterThan(0);
    for (const request of requests) {
      expect(validateMessages(request)).toEqual([]);
      const text = JSON.stringify(request);
      expect(store.countTokens(wordsOf(request).join('\n'))).toBeLessThan(16_000);
      expect(text).toContain('Go through the log.');
    }
    const logs = await logsIn(manager);
    for (let step = 1; step <= scenarioSteps; step += 1) {
      expect(logs.has(step % 13 === 0 ? 'this tool fails' : logOfStep(step))).toBe(true);
    }
  });

  it('goes on after a restart as if there had been none', async () => {
    const [straight, broken] = [await setUp(), await setUp()];
    const nameless = (requests: readonly (readonly Message[])[]): string =>
      JSON.stringify(requests.at(-1)).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output');
    const whole = await run(straight, [task], { from: 1, to: 40 });
    const history: Message[] = [task];
    await run(broken, history, { from: 1, to: 25 });
    await broken.manager.end();
    const manager = managerOf(broken.store);
    const again = { manager, client: wrapClient(manager, broken.plain) };
    const rest = await run(again, history, { from: 26, to: 40 });
    expect(nameless(rest)).toBe(nameless(whole));
  });

  it('goes on from a moment that has a name, with nothing of what came behind it', async () => {
    const host = await setUp();
    const history: Message[] = [task];
    await run(host, history, { from: 1, to: hugeStep + 2 });
    await host.manager.checkpoint('here');
    const kept = [...history];
    await run(host, history, { from: hugeStep + 3, to: hugeStep + 20 });
    await host.manager.restore('here');
    const { messages, receipt } = await host.manager.prepare(kept);
    expect(receipt).toMatchObject({ inserted: 0 });
    expect(receipt.rewound).toBeUndefined();
    expect(validateMessages(messages)).toEqual([]);
    const text = JSON.stringify(messages);
    expect(text).toContain(`step ${String(hugeStep + 2)} line`);
    expect(text).not.toContain(`step ${String(hugeStep + 3)} line`);
  });

  it('gets a preview of a megabyte, and what was put away stays readable', async () => {
    const { client, manager } = await setUp();
    const answer = await client.callTool({ name: 'read_log', arguments: { step: hugeStep } });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
    const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(textOf(answer))?.[0];
    const [read] = manager.tools();
    expect(await read?.execute({ pointer, pattern: hugeMarker })).toContain(hugeMarker);
  });

  it('keeps images, puts embedded resources away, and leaves the given result as it is', async () => {
    const { client, manager } = await setUp();
    const { content } = await client.callTool({ name: 'page', arguments: {} });
    expect(content).toMatchObject([{ type: 'image', data: pixel }, { type: 'text' }]);
    expect(textOf({ content })).toContain('ctx://outputs/');
    expect(await logsIn(manager)).toContain(pageText);
  });

  it('records what a tool fails with, and says it on', async () => {
    const { client, manager, store } = await setUp();
    const answer = await client.callTool({ name: 'fail', arguments: { step: 1 } });
    expect(answer).toMatchObject({ isError: true });
    const gone = client.callTool({ name: 'read_log', arguments: { step: 1 } }, undefined, {
      signal: AbortSignal.abort(),
    });
    await expect(gone).rejects.toThrow();
    await manager.end();
    expect((await store.sessions.get('s'))?.document.tool_stats.failures).toBe(2);
  });

  it('leaves structured content whole for tools that promise it: the client takes no other answer', async () => {
    const { client } = await setUp();
    await client.listTools();
    const answer = await client.callTool({ name: 'table', arguments: {} });
    expect(answer.structuredContent).toEqual({ rows });
    expect(textOf(answer)).toContain('ctx://outputs/');
  });

  it('can take the promise out of the list of tools instead, and the content with it', async () => {
    const { client, manager } = await setUp({ structured: 'drop' });
    const { tools } = await client.listTools();
    expect(tools.every((tool) => !('outputSchema' in tool))).toBe(true);
    const answer = await client.callTool({ name: 'table', arguments: {} });
    expect(answer.structuredContent).toBeUndefined();
    expect([...(await logsIn(manager))]).toContainEqual({ rows });
  });
});
