import type { ContextManager } from '@ctx/agent-adapter';
import { contextMiddleware, contextPrepareStep, wrapTools } from '@ctx/agent-adapter/ai-sdk';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { z } from 'zod';
import { callsOfStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import { tokensOfPrompt } from '../judge-prompt.ts';

type Prompt = MockLanguageModelV3['doGenerateCalls'][number]['prompt'];

/** Steps of the scenario that an agent takes, and what it is given first. */
export interface Part {
  readonly from?: number;
  readonly to?: number;
  readonly messages?: ai6.ModelMessage[];
}

/** What a run of the agent showed. */
export interface AgentRun {
  /** The prompts that reached the model. */
  readonly prompts: readonly Prompt[];
  readonly text: string;
  /** The whole results, as the SDK's steps hold them. */
  readonly results: readonly unknown[];
  /** The conversation as the host has it after the run. */
  readonly history: ai6.ModelMessage[];
}

function usageOf(prompt: Prompt) {
  const total = tokensOfPrompt(prompt);
  return {
    inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  };
}

/** A model that follows the script: the step is the number of answers in the prompt. */
export function scriptedModel(from = 1, to: number = scenarioSteps): MockLanguageModelV3 {
  let step = from - 1;
  const content = () => {
    step += 1;
    if (step > to) return [{ type: 'text' as const, text: `done to ${String(to)}` }];
    return callsOfStep(step).map(({ id, name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
    }));
  };
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const parts = content();
      const unified = step > to ? ('stop' as const) : ('tool-calls' as const);
      return {
        content: parts,
        finishReason: { unified, raw: undefined },
        usage: usageOf(prompt),
        warnings: [],
      };
    },
  });
}

const inputSchema = z.object({ step: z.number() });

const tools = {
  read_log: {
    description: 'Reads the log of a step.',
    inputSchema,
    execute: async ({ step }: { readonly step: number }) => logOfStep(step),
  },
  add: {
    description: 'Adds.',
    inputSchema,
    execute: async ({ step }: { readonly step: number }) => ({ sum: step + 1 }),
  },
  fail: {
    description: 'Fails.',
    inputSchema,
    execute: async (): Promise<string> => {
      // Version 6 shows the message, 7 the error as text: without a name both are the same.
      throw Object.assign(new Error('this tool fails'), { name: '' });
    },
  },
};

/** A step of either version. */
interface StepShape {
  readonly toolResults: readonly { readonly output: unknown }[];
}

interface UsageOfStep {
  readonly usage: {
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
  };
}

/** How the manager is put in. */
export type Wiring = 'middleware' | 'prepareStep' | 'prepareStep and usage';

const task: ai6.ModelMessage = { role: 'user', content: 'Go through the log, step by step.' };

/** Runs the agent, or steps of it, under version 6 or 7 of the SDK. */
export async function runAgent(
  version: 6 | 7,
  manager: ContextManager,
  { wiring, from = 1, to = scenarioSteps, messages = [task] }: Part & { readonly wiring: Wiring },
): Promise<AgentRun> {
  const model = scriptedModel(from, to);
  const middleware = contextMiddleware(manager);
  const stepwise = {
    prepareStep: contextPrepareStep(manager),
    // Without a middleware nobody hears of the usage but who is told of each step.
    onStepFinish: async ({ usage: { inputTokens = 0, outputTokens = 0 } }: UsageOfStep) => {
      await manager.observe({ inputTokens, outputTokens });
    },
  };
  const { prepareStep } = stepwise;
  const step = { middleware: {}, prepareStep: { prepareStep }, 'prepareStep and usage': stepwise }[
    wiring
  ];
  const wrapped = wrapTools(manager, tools);
  const last = to - from + 2;
  const seen = (text: string, steps: readonly StepShape[], added: readonly object[]) => ({
    ...{ prompts: model.doGenerateCalls.map((call) => call.prompt), text },
    results: steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output)),
    // What both versions add here is of the same form.
    history: [...messages, ...(added as readonly ai6.ModelMessage[])],
  });
  if (version === 6) {
    const used = wiring === 'middleware' ? ai6.wrapLanguageModel({ model, middleware }) : model;
    const stopWhen = ai6.stepCountIs(last);
    const given = { model: used, tools: wrapped, messages, system: 'be brief', stopWhen };
    const { text, steps, response } = await ai6.generateText({ ...given, ...step });
    return seen(text, steps, response.messages);
  }
  const used = wiring === 'middleware' ? ai7.wrapLanguageModel({ model, middleware }) : model;
  const stopWhen = ai7.isStepCount(last);
  // What both versions take here is of the same form.
  const taken = messages as readonly object[] as ai7.ModelMessage[];
  const given = {
    model: used,
    tools: wrapped,
    messages: taken,
    instructions: 'be brief',
    stopWhen,
  };
  const { text, steps, responseMessages } = await ai7.generateText({ ...given, ...step });
  return seen(text, steps, responseMessages);
}
