import { withContext } from '@ctx/agent-adapter/openai-agents';
import {
  Agent,
  type AgentInputItem,
  Runner,
  setTracingDisabled,
  tool,
  user,
} from '@openai/agents-core';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import OpenAI from 'openai';
import { describe } from 'vitest';
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import {
  type AgentWays,
  describeAgentWays,
  describeWithContext,
  type LawfulAgent,
  type LawOptions,
} from '../with-context-laws.ts';
import { waysToTry } from '../ways-to-try.ts';

setTracingDisabled(true);

const part = z.object({ part: z.string() });
const anything = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: true,
} as const;

const tools = [
  tool({
    ...{ name: 'read', description: 'Reads a part.', parameters: part },
    execute: async ({ part: name }) => textOfPart(name),
  }),
  tool({
    ...{ name: 'look', description: 'Looks at a part.', parameters: part },
    execute: async ({ part: name }) => JSON.stringify(foundOf(name)),
  }),
  tool({
    ...{
      name: 'write',
      description: 'Writes.',
      strict: false,
      parameters: { ...anything, required: [] },
    },
    execute: async () => 'written',
  }),
];

const models = { responses: OpenAIResponsesModel, chat: OpenAIChatCompletionsModel };

type ModelClass = (typeof models)[keyof typeof models];

function contextOf(Model: ModelClass, baseURL: string, options: LawOptions) {
  const model = new Model(new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }), 'gpt-5.2');
  return withContext({ model, tools, tool, ...options });
}

async function sdkAgent(
  Model: ModelClass,
  baseURL: string,
  options: LawOptions,
): Promise<LawfulAgent<AgentInputItem[]>> {
  const context = await contextOf(Model, baseURL, options);
  const { model, tools: wrapped } = context;
  const agent = new Agent({ name: 'a', instructions: 'be brief', model, tools: wrapped });
  const runner = new Runner();
  return {
    end: context.end,
    round: async (before = [], said) => {
      const result = await runner.run(agent, [...before, user(said)], { maxTurns: 30 });
      return { history: result.history, text: result.finalOutput ?? '' };
    },
  };
}

async function waysOf(Model: ModelClass, url: string, options: LawOptions): Promise<AgentWays> {
  const context = await contextOf(Model, url, options);
  const { model, tools: wrapped } = context;
  const fixed = { name: 'a', instructions: 'be brief', model, tools: wrapped };
  const agent = new Agent(fixed);
  const runner = new Runner();
  return {
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
    streamed: async (said) => {
      const result = await runner.run(agent, said, { stream: true });
      let text = '';
      for await (const piece of result.toTextStream()) text += piece;
      await result.completed;
      return text;
    },
    parsed: async (said) => {
      const outputType = z.object({ full: z.boolean() });
      return (await runner.run(new Agent({ ...fixed, outputType }), said)).finalOutput;
    },
    stopped: (said, signal) => runner.run(agent, said, { signal }),
  };
}

describe.each(waysToTry(Object.entries(models)))(
  'withContext for OpenAI Agents by %s',
  (_name, Model) => {
    describeWithContext((url, options) => sdkAgent(Model, url, options));
    describeAgentWays((url, options) => waysOf(Model, url, options));
  },
);
