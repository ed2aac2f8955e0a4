import type { ContextManager } from '@ctx/agent-adapter';
import { contextProcessor } from '@ctx/agent-adapter/mastra';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { callsOfStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import { type Prompt, tokensOfPrompt } from '../judge-prompt.ts';

/** Steps of the scenario that an agent takes, and what it is given first. */
export interface Part {
  readonly from?: number;
  readonly to?: number;
  readonly messages?: readonly object[];
}

/** What a run of the agent showed. */
export interface AgentRun {
  /** The prompts that reached the model. */
  readonly prompts: readonly Prompt[];
  readonly text: string;
  /** The conversation as a host has it after the run: messages for the screen, which know where a step begins. */
  readonly history: readonly object[];
}

/** What the model answers in a step, in the words of version 2 of the interface. */
function answerOf(step: number, to: number, prompt: Prompt) {
  const isOver = step > to;
  const calls = callsOfStep(step).map(({ id, name, input }) => ({
    ...{ type: 'tool-call' as const, toolCallId: id, toolName: name },
    input: JSON.stringify(input),
  }));
  const inputTokens = tokensOfPrompt(prompt);
  return {
    content: isOver ? [{ type: 'text' as const, text: `done to ${String(to)}` }] : calls,
    finishReason: isOver ? ('stop' as const) : ('tool-calls' as const),
    usage: { inputTokens, outputTokens: 10, totalTokens: inputTokens + 10 },
    warnings: [],
  };
}

const tool = (id: string, run: (step: number) => unknown) =>
  createTool({
    ...{ id, description: id, inputSchema: z.object({ step: z.number() }) },
    execute: ({ step }) => Promise.resolve(run(step)),
  });

const tools = {
  read_log: tool('read_log', logOfStep),
  add: tool('add', (step) => ({ sum: step + 1 })),
  fail: tool('fail', () => {
    throw new Error('this tool fails');
  }),
};

/** Mastra takes messages of five forms; these are what it gave, and what was said in between. */
type Given = Parameters<Agent['generate']>[0];

const task = { role: 'user', content: 'Go through the log, step by step.' };

/** Runs the scenario, or steps of it, in a real agent of Mastra. */
export async function runAgent(
  manager: ContextManager,
  { from = 1, to = scenarioSteps, messages = [task] }: Part = {},
): Promise<AgentRun> {
  const prompts: Prompt[] = [];
  const model = {
    ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script' },
    supportedUrls: {},
    doGenerate: ({ prompt }: { readonly prompt: Prompt }) => {
      prompts.push(structuredClone(prompt));
      return Promise.resolve(answerOf(from + prompts.length - 1, to, prompt));
    },
    doStream: () => Promise.reject(new Error('nothing is streamed here')),
  };
  const processor = contextProcessor(manager);
  const agent = new Agent({
    ...{ id: 'a', name: 'a', instructions: 'be brief', model, tools },
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  const { text, response } = await agent.generate(messages as Given, { maxSteps: to - from + 2 });
  return { prompts, text, history: [...messages, ...(response.uiMessages ?? [])] };
}
