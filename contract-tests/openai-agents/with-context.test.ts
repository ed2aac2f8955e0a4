import { Agent, Runner } from '@openai/agents-core';
import { describe } from 'vitest';
import { z } from 'zod';
import { waysToTry } from '../ways-to-try.ts';
import {
  type AgentWays,
  describeAgentWays,
  describeWithContext,
  type LawOptions,
} from '../with-context-laws.ts';
import { contextOf, type ModelClass, models, sdkAgent } from './agents.ts';

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
    describeWithContext((url, options) => sdkAgent(Model, { url, options }));
    describeAgentWays((url, options) => waysOf(Model, url, options));
  },
);
