import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { wrapClient } from '@ctx/agent-adapter/mcp';
import { type Message } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ContextManagerOptions } from '../../packages/agent-adapter/src/context-manager/manager-settings.ts';
import { callsOfStep, type ScriptedCall } from '../agent-scenario.ts';
import { textOf } from './connect.ts';
import { scriptedTools } from './scripted-tools.ts';

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };

export function managerOf(
  store: ContextStore,
  options: Pick<ContextManagerOptions, 'compaction'> = { compaction: false },
): ContextManager {
  return createContextManager({ store, sessionId: 's', model, ...options });
}

export async function setUp(options: { readonly structured?: 'keep' | 'drop' } = {}) {
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
export async function run(
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

export async function logsIn(manager: ContextManager): Promise<ReadonlySet<unknown>> {
  const pointers = await manager.getAllPointers();
  const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
  return new Set(outputs.map(({ result }) => result));
}

export const task: Message = {
  role: 'user',
  content: [{ type: 'text', text: 'Go through the log.' }],
};
