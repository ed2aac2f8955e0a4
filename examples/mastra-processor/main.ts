/**
 * An agent of Mastra whose prompts a context manager makes fit, as a processor in both of its lists. The agent, its tool and the store
 * are real, the model is a script. Mastra asks for Node 22; its agents run on 20, too.
 */
import assert from 'node:assert/strict';
import { createContextManager } from '@ctx/agent-adapter';
import { contextProcessor, contextTools } from '@ctx/agent-adapter/mastra';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const logs = 40;
const windowTokens = 16_000;

const logOf = (step: number): string =>
  Array.from({ length: 1200 }, (_, line) => `log ${String(step)} line ${String(line)}`).join('\n');

const readLog = createTool({
  ...{ id: 'read_log', description: 'Reads a log.', inputSchema: z.object({ step: z.number() }) },
  execute: ({ step }) => Promise.resolve(logOf(step)),
});

/** What the model was sent, tokens about. */
const sizes: number[] = [];

/** Reads one log after the other, then answers. */
const model = {
  ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script' },
  supportedUrls: {},
  doGenerate: ({ prompt }: { readonly prompt: unknown }) => {
    const inputTokens = Math.round(JSON.stringify(prompt).length / 4);
    const step = sizes.push(inputTokens);
    const isOver = step > logs;
    const call = { toolCallId: `call-${String(step)}`, toolName: readLog.id };
    return Promise.resolve({
      content: isOver
        ? [{ type: 'text' as const, text: 'All read.' }]
        : [{ type: 'tool-call' as const, ...call, input: JSON.stringify({ step }) }],
      finishReason: isOver ? ('stop' as const) : ('tool-calls' as const),
      usage: { inputTokens, outputTokens: 20, totalTokens: inputTokens + 20 },
      warnings: [],
    });
  },
  doStream: () => Promise.reject(new Error('nothing is streamed here')),
};

const store = await openStore(memoryBackend());
const profile = { name: 'small', windowTokens, price: 'anthropic-5m' };
const manager = createContextManager({ store, sessionId: 's', model: profile });
const processor = contextProcessor(manager); // one object, for all three lists
const agent = new Agent({
  ...{ id: 'reader', name: 'reader', instructions: 'You read logs.', model },
  // Previews name the tools that read the rest.
  tools: { read_log: readLog, ...contextTools(manager, createTool) },
  inputProcessors: [processor],
  outputProcessors: [processor],
  errorProcessors: [processor],
  maxProcessorRetries: 3,
});
const { text } = await agent.generate('Read all forty.', { maxSteps: logs + 1 });
assert.equal(text, 'All read.');

const largest = Math.max(...sizes);
assert.ok(largest < windowTokens, `a prompt had ${String(largest)} tokens`);
const pointers = await manager.getAllPointers();
const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
assert.deepEqual(
  outputs.map(({ result }) => result),
  Array.from({ length: logs }, (_, index) => logOf(index + 1)),
);
await manager.end();
await store.close();
console.log(`${String(logs)} logs read; the largest prompt had ${String(largest)} tokens`);
