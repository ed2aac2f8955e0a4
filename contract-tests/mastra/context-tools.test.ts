import { setTimeout } from 'node:timers/promises';
import { createContextManager } from '@ctx/agent-adapter';
import { contextProcessor, contextTools, withContext } from '@ctx/agent-adapter/mastra';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';

const log = Array.from({ length: 3000 }, (_, at) => `line ${String(at)} of a long log`)
  .with(1511, 'line 5003 of a long log')
  .join('\n');

const readLog = createTool({
  ...{ id: 'read_log', description: 'Reads a log.', inputSchema: z.object({ n: z.number() }) },
  execute: () => Promise.resolve(log),
});

interface ScriptedCall {
  readonly toolName: string;
  readonly input: string;
}

type Script = (count: number, prompt: string, tools: readonly string[]) => readonly ScriptedCall[];

/** A model that makes the calls of a script, and says that it is done when there are none. */
const scriptedModel = (prompts: string[], script: Script) => ({
  ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script' },
  supportedUrls: {},
  doGenerate: ({ prompt, tools = [] }: { prompt: unknown; tools?: { name: string }[] }) => {
    const count = prompts.push(JSON.stringify(prompt));
    const names = tools.map(({ name }) => name);
    const calls = script(count, prompts.at(-1) ?? '', names);
    const toolCallId = `c${String(count)}`;
    return Promise.resolve({
      content:
        calls.length === 0
          ? [{ type: 'text' as const, text: 'done' }]
          : calls.map((call) => ({ type: 'tool-call' as const, toolCallId, ...call })),
      finishReason: calls.length === 0 ? ('stop' as const) : ('tool-calls' as const),
      usage: { inputTokens: 10, outputTokens: 10, totalTokens: 20 },
      warnings: [],
    });
  },
  doStream: () => Promise.reject(new Error('nothing is streamed here')),
});

type Given = Parameters<Agent['generate']>[0];

/** The parts of prompts that answer a call. */
const answersTo = (prompt: string, id: string): object[] =>
  (JSON.parse(prompt) as { role: string; content: { toolCallId?: string }[] }[])
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => content.filter(({ toolCallId }) => toolCallId === id));

it('the model of an agent is told once, as data, that an input is not by the schema of a tool', async () => {
  const store = await openStore(memoryBackend());
  const prompts: string[] = [];
  const model = scriptedModel(prompts, () => [
    { toolName: 'ctx_read_output', input: '{"pattern":"5003"}' },
  ]);
  const context = await withContext({ model, createTool, session: 's', store });
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'be brief', ...context });
  await agent.generate('Look into the log.', { maxSteps: 4 });
  expect(answersTo(prompts[1] ?? '', 'c1')).toMatchObject([
    { output: { type: 'json', value: { error: true } } },
  ]);
  await context.end();
});

it('a run that is continued sends what was sent before, and the next step after it', async () => {
  const store = await openStore(memoryBackend());
  const tools = { read_log: readLog };
  const ask = async (prompts: string[], said: object[], maxSteps: number) => {
    const model = scriptedModel(prompts, (count) =>
      count === 3 ? [] : [{ toolName: 'read_log', input: `{"n":${String(count)}}` }],
    );
    const context = await withContext({ model, tools, createTool, session: 's', store });
    const agent = new Agent({ id: 'a', name: 'a', instructions: 'be brief', ...context });
    const { response } = await agent.generate(said as Given, { maxSteps });
    await context.end();
    return response.uiMessages ?? [];
  };
  const prompts: string[] = [];
  const said = [{ role: 'user', content: 'Look into the log.' }];
  const broken = await ask(prompts, said, 1);
  // Mastra notes when it reads a message.
  await setTimeout(5);
  await ask(prompts, [...said, ...broken], 4);
  const [first = '', second = '', third = ''] = prompts;
  expect(second.startsWith(first.slice(0, -1))).toBe(true);
  expect(third.startsWith(second.slice(0, -1))).toBe(true);
});

it('the model of an agent reads back what a preview left out, with the tool that the preview names', async () => {
  const manager = createContextManager({ store: await openStore(memoryBackend()), sessionId: 's' });
  const prompts: string[] = [];
  const offered = new Set<string>();
  const model = scriptedModel(prompts, (count, said, tools) => {
    for (const name of tools) offered.add(name);
    const [pointer] = /ctx:\/\/outputs\/[\w-]+/.exec(said) ?? [];
    const calls = [
      { toolName: 'read_log', input: '{"n":1}' },
      { toolName: 'ctx_read_output', input: JSON.stringify({ pointer, pattern: '5003' }) },
    ];
    return calls.slice(count - 1, count);
  });
  const processor = contextProcessor(manager);
  const agent = new Agent({
    ...{ id: 'a', name: 'a', instructions: 'be brief', model },
    tools: { read_log: readLog, ...contextTools(manager, createTool) },
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  await agent.generate('Look into the log.', { maxSteps: 4 });
  expect([...offered]).toEqual(expect.arrayContaining(manager.tools().map(({ name }) => name)));
  expect(prompts[1]).not.toContain('line 5003 of a long log');
  expect(prompts[2]).toContain('line 5003 of a long log');
  await manager.end();
});
