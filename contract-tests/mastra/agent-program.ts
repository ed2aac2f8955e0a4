import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContextManager } from '@ctx/agent-adapter';
import { contextProcessor } from '@ctx/agent-adapter/mastra';
import { memoryBackend, openStore } from '@ctx/core';
import type * as zod from 'zod';
import { callsOfStep, hugeMarker, hugeStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';

/**
 * Runs the shared scenario in a real agent of Mastra, from the folder in which it is installed, and prints what was seen as JSON. A
 * program of its own, since Mastra needs a newer Node than ours. Types of Mastra are not at hand: what is used of them stands here.
 */
interface Mastra {
  readonly Agent: new (
    options: object,
  ) => {
    generate(prompt: string, options: object): Promise<{ readonly text: string }>;
  };
  readonly createTool: (options: object) => unknown;
}

interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly toolCallId?: string }[];
}

const folder = process.argv[2] ?? '';
const installed = createRequire(join(folder, 'package.json'));
const load = async (name: string): Promise<unknown> =>
  import(pathToFileURL(installed.resolve(name)).href);

const { Agent } = (await load('@mastra/core/agent')) as Pick<Mastra, 'Agent'>;
const { createTool } = (await load('@mastra/core/tools')) as Pick<Mastra, 'createTool'>;
const { z } = (await load('zod')) as typeof zod;

const store = await openStore(memoryBackend());
const manager = createContextManager({
  ...{ store, sessionId: 's', compaction: false },
  model: { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' },
});
const processor = contextProcessor(manager);
const prompts: (readonly PromptMessage[])[] = [];
const tokensOf = (prompt: unknown): number => Math.round(JSON.stringify(prompt).length / 4);

/** What the model answers in a step, in the words of version 2 of the interface. */
function answerOf(step: number, prompt: unknown) {
  const isOver = step > scenarioSteps;
  const calls = callsOfStep(step).map(({ id, name, input }) => ({
    ...{ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) },
  }));
  const inputTokens = tokensOf(prompt);
  return {
    content: isOver ? [{ type: 'text', text: 'all done' }] : calls,
    finishReason: isOver ? 'stop' : 'tool-calls',
    usage: { inputTokens, outputTokens: 10, totalTokens: inputTokens + 10 },
    warnings: [],
  };
}

const model = {
  ...{ specificationVersion: 'v2', provider: 'script', modelId: 'script', supportedUrls: {} },
  doGenerate: ({ prompt }: { readonly prompt: readonly PromptMessage[] }) => {
    prompts.push(structuredClone(prompt));
    return Promise.resolve(answerOf(prompts.length, prompt));
  },
  doStream: () => Promise.reject(new Error('nothing is streamed here')),
};

interface StepInput {
  readonly step: number;
}

const tool = (id: string, execute: (step: number) => unknown): unknown =>
  createTool({
    ...{ id, description: id, inputSchema: z.object({ step: z.number() }) },
    execute: async (input: StepInput) => execute(input.step),
  });

const agent = new Agent({
  ...{ id: 'a', name: 'a', instructions: 'be brief', model },
  tools: {
    read_log: tool('read_log', logOfStep),
    add: tool('add', (step) => ({ sum: step + 1 })),
    fail: tool('fail', () => {
      throw new Error('this tool fails');
    }),
  },
  inputProcessors: [processor],
  outputProcessors: [processor],
});

const { text } = await agent.generate('Go through the log, step by step.', {
  maxSteps: scenarioSteps + 1,
});
await manager.end();

const idsOf = (prompt: readonly PromptMessage[], type: string): string[] =>
  prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) =>
          part.type === type && part.toolCallId !== undefined ? [part.toolCallId] : [],
        ),
  );

const outputs = await manager.loadContexts((await manager.getAllPointers()).map(({ id }) => id));
const logs = new Set(outputs.map(({ result }) => result));
const steps = Array.from({ length: scenarioSteps }, (_, index) => index + 1);
const messages = prompts.map((prompt) => prompt.map((each) => JSON.stringify(each)));

process.stdout.write(
  JSON.stringify({
    text,
    requests: prompts.length,
    largestTokens: Math.max(...prompts.map(tokensOf)),
    invalid: prompts.filter(
      (prompt) =>
        idsOf(prompt, 'tool-call').toSorted().join() !==
        idsOf(prompt, 'tool-result').toSorted().join(),
    ).length,
    hugeInPrompt: JSON.stringify(prompts).includes(hugeMarker),
    missingLogs: steps.filter((step) => step % 13 !== 0 && !logs.has(logOfStep(step))),
    hugeIsStored: logs.has(logOfStep(hugeStep)),
    prefixBreaks: messages.filter((now, index) =>
      (messages[index - 1] ?? []).some((message, place) => now[place] !== message),
    ).length,
    reportedTokens: prompts.reduce((sum, prompt) => sum + tokensOf(prompt), 0),
    countedTokens: (await store.sessions.get('s'))?.document.token_usage.total_input,
  }),
);
