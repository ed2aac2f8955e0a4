/**
 * A context manager as a processor of Mastra. Mastra is not installed here: a loop stands in for its agent, which calls the processor
 * in Mastra's order (request, response, result of each tool). With the real package the loop is
 * `new Agent({ …, inputProcessors: [processor], outputProcessors: [processor] })`; contract-tests/mastra runs that.
 */
import assert from 'node:assert/strict';
import { createContextManager } from '@ctx/agent-adapter';
import { contextProcessor, type ToolInvocationPart } from '@ctx/agent-adapter/mastra';
import { memoryBackend, openStore } from '@ctx/core';

const store = await openStore(memoryBackend());
const model = { name: 'small', windowTokens: 16_000, price: 'anthropic-5m' };
const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
const processor = contextProcessor(manager); // one object, for both lists

interface Message {
  readonly role: string;
  readonly content: unknown;
}

const history: Message[] = [
  { role: 'system', content: 'You read logs.' },
  { role: 'user', content: [{ type: 'text', text: 'Read all forty.' }] },
];
const logOf = (step: number): string =>
  Array.from({ length: 1200 }, (_, line) => `log ${String(step)} line ${String(line)}`).join('\n');

const tokensOf = (prompt: unknown): number => Math.round(JSON.stringify(prompt).length / 4);
let largest = 0;

for (let step = 1; step <= 40; step += 1) {
  const { prompt } = await processor.processLLMRequest({ prompt: history });
  largest = Math.max(largest, tokensOf(prompt));
  const call = { toolCallId: `call-${String(step)}`, toolName: 'read_log' };
  const input = { step };
  const usage = { inputTokens: tokensOf(prompt), outputTokens: 20 };
  const chunks = [{ type: 'finish', payload: { output: { usage } } }];
  await processor.processLLMResponse({ chunks, fromCache: false });
  history.push({ role: 'assistant', content: [{ type: 'tool-call', ...call, input }] });

  let shown: unknown = logOf(step);
  const messageList = {
    updateToolInvocation: ({ toolInvocation }: ToolInvocationPart): void => {
      shown = toolInvocation.result;
    },
  };
  await processor.processToolResult({ ...call, args: input, result: logOf(step), messageList });
  const output = { type: 'text', value: shown };
  history.push({ role: 'tool', content: [{ type: 'tool-result', ...call, output }] });
}

assert.ok(largest < 16_000, `a prompt had ${String(largest)} tokens`);
const pointers = await manager.getAllPointers();
const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
assert.deepEqual(
  outputs.map(({ result }) => result),
  Array.from({ length: 40 }, (_, index) => logOf(index + 1)),
);
await manager.end();
await store.close();
console.log(`40 logs read; the largest prompt had ${String(largest)} tokens`);
