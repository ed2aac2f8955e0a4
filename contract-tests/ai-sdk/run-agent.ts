import { contextMiddleware, contextPrepareStep, wrapTools } from '@ctx/agent-adapter/ai-sdk';
import type { ContextManager } from '@ctx/agent-adapter';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { z } from 'zod';
import { callsOfStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';

type Prompt = MockLanguageModelV3['doGenerateCalls'][number]['prompt'];

/** What a run of the agent showed. */
export interface AgentRun {
  /** The prompts that reached the model. */
  readonly prompts: readonly Prompt[];
  readonly text: string;
  /** The whole results, as the SDK's steps hold them. */
  readonly results: readonly unknown[];
}

/** What a provider would count, about. */
export function tokensOfPrompt(prompt: Prompt): number {
  return Math.round(JSON.stringify(prompt).length / 4);
}

function usageOf(prompt: Prompt) {
  const total = tokensOfPrompt(prompt);
  return {
    inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  };
}

/** A model that follows the script: the step is the number of answers in the prompt. */
export function scriptedModel(fromStep = 1): MockLanguageModelV3 {
  let step = fromStep - 1;
  const content = () => {
    step += 1;
    if (step > scenarioSteps) return [{ type: 'text' as const, text: 'all done' }];
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
      const unified = step > scenarioSteps ? ('stop' as const) : ('tool-calls' as const);
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

/** How the manager is put in. */
export type Wiring = 'middleware' | 'prepareStep';

/** Runs the agent under version 6 or 7 of the SDK. */
export async function runAgent(
  version: 6 | 7,
  manager: ContextManager,
  wiring: Wiring,
): Promise<AgentRun> {
  const model = scriptedModel();
  const prompt = 'Go through the log, step by step.';
  const middleware = contextMiddleware(manager);
  const step = wiring === 'prepareStep' ? { prepareStep: contextPrepareStep(manager) } : {};
  const wrapped = wrapTools(manager, tools);
  const last = scenarioSteps + 1;
  if (version === 6) {
    const used = wiring === 'middleware' ? ai6.wrapLanguageModel({ model, middleware }) : model;
    const stopWhen = ai6.stepCountIs(last);
    const given = { model: used, tools: wrapped, prompt, system: 'be brief', stopWhen };
    const { text, steps } = await ai6.generateText({ ...given, ...step });
    const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
    return { prompts: model.doGenerateCalls.map((call) => call.prompt), text, results };
  }
  const used = wiring === 'middleware' ? ai7.wrapLanguageModel({ model, middleware }) : model;
  const stopWhen = ai7.isStepCount(last);
  const given = { model: used, tools: wrapped, prompt, instructions: 'be brief', stopWhen };
  const { text, steps } = await ai7.generateText({ ...given, ...step });
  const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  return { prompts: model.doGenerateCalls.map((call) => call.prompt), text, results };
}
