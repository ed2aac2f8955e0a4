import { createContextManager } from '@ctx/agent-adapter';
import { contextProcessor, contextTools } from '@ctx/agent-adapter/mastra';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';

const log = Array.from({ length: 3000 }, (_, at) => `line ${String(at)} of a long log`)
  .with(1511, 'line 987654321 of a long log')
  .join('\n');

const readLog = createTool({
  ...{ id: 'read_log', description: 'Reads a log.', inputSchema: z.object({ n: z.number() }) },
  execute: () => Promise.resolve(log),
});

it('the model of an agent reads back what a preview left out, with the tool that the preview names', async () => {
  const manager = createContextManager({ store: await openStore(memoryBackend()), sessionId: 's' });
  const prompts: string[] = [];
  const offered = new Set<string>();
  const model = {
    ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script' },
    supportedUrls: {},
    doGenerate: ({ prompt, tools = [] }: { prompt: unknown; tools?: { name: string }[] }) => {
      const said = JSON.stringify(prompt);
      prompts.push(said);
      for (const { name } of tools) offered.add(name);
      const [pointer] = /ctx:\/\/outputs\/[\w-]+/.exec(said) ?? [];
      const calls = [
        { toolName: 'read_log', input: '{"n":1}' },
        { toolName: 'ctx_read_output', input: JSON.stringify({ pointer, pattern: '987654321' }) },
      ];
      const call = calls[prompts.length - 1];
      const toolCallId = `c${String(prompts.length)}`;
      return Promise.resolve({
        content:
          call === undefined
            ? [{ type: 'text' as const, text: 'done' }]
            : [{ type: 'tool-call' as const, toolCallId, ...call }],
        finishReason: call === undefined ? ('stop' as const) : ('tool-calls' as const),
        usage: { inputTokens: 10, outputTokens: 10, totalTokens: 20 },
        warnings: [],
      });
    },
    doStream: () => Promise.reject(new Error('nothing is streamed here')),
  };
  const processor = contextProcessor(manager);
  const agent = new Agent({
    ...{ id: 'a', name: 'a', instructions: 'be brief', model },
    tools: { read_log: readLog, ...contextTools(manager, createTool) },
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  await agent.generate('Look into the log.', { maxSteps: 4 });
  expect([...offered]).toEqual(expect.arrayContaining(manager.tools().map(({ name }) => name)));
  expect(prompts[1]).not.toContain('line 987654321 of a long log');
  expect(prompts[2]).toContain('line 987654321 of a long log');
  await manager.end();
});
