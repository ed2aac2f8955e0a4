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
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import type { Hear, LawOptions, ResumableAgent } from '../with-context-laws.ts';

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

export const models = { responses: OpenAIResponsesModel, chat: OpenAIChatCompletionsModel };

export type ModelClass = (typeof models)[keyof typeof models];

export function contextOf(Model: ModelClass, baseURL: string, options: LawOptions) {
  const model = new Model(new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }), 'gpt-5.2');
  return withContext({ model, tools, tool, ...options });
}

/** An agent of OpenAI's Agents SDK, put together with one call. Streams if the host hears it. */
export async function sdkAgent(
  Model: ModelClass,
  {
    url,
    options,
    hear,
  }: { readonly url: string; readonly options: LawOptions; readonly hear?: Hear },
): Promise<ResumableAgent<AgentInputItem[]>> {
  const context = await contextOf(Model, url, options);
  const { model, tools: wrapped } = context;
  const agent = new Agent({ name: 'a', instructions: 'be brief', model, tools: wrapped });
  return {
    end: context.end,
    round: async (before = [], said, onStep) => {
      const runner = new Runner({
        callModelInputFilter: ({ modelData }) => {
          onStep?.(modelData.input);
          return modelData;
        },
      });
      const input = [...before, ...(said === undefined ? [] : [user(said)])];
      if (hear === undefined) {
        const { history, finalOutput } = await runner.run(agent, input, { maxTurns: 30 });
        return { history, text: finalOutput ?? '' };
      }
      const streamed = await runner.run(agent, input, { maxTurns: 30, stream: true });
      for await (const piece of streamed.toTextStream()) hear(piece);
      await streamed.completed;
      return { history: streamed.history, text: streamed.finalOutput ?? '' };
    },
  };
}
