import { withContext } from '@ctx/agent-adapter/mastra';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createOpenAI } from 'ai6-openai';
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

const part = z.object({ part: z.string() });

const tools = {
  read: createTool({
    ...{ id: 'read', description: 'Reads a part.', inputSchema: part },
    execute: async ({ part: name }) => textOfPart(name),
  }),
  look: createTool({
    ...{ id: 'look', description: 'Looks at a part.', inputSchema: part },
    execute: async ({ part: name }) => foundOf(name),
  }),
  write: createTool({
    ...{ id: 'write', description: 'Writes.', inputSchema: z.looseObject({ path: z.string() }) },
    execute: async () => 'written',
  }),
};

type Given = Parameters<Agent['generate']>[0];

async function agentWith(url: string, options: LawOptions) {
  const model = createOpenAI({ baseURL: url, apiKey: 'none' }).chat('gpt-5.2');
  const context = await withContext({ model, tools, createTool, ...options });
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'be brief', ...context });
  return { agent, context };
}

async function mastraAgent(url: string, options: LawOptions): Promise<LawfulAgent<object[]>> {
  const { agent, context } = await agentWith(url, options);
  return {
    end: context.end,
    round: async (before = [], said) => {
      const messages = [...before, { role: 'user', content: said }];
      const { text, response } = await agent.generate(messages as Given, { maxSteps: 30 });
      return { history: [...messages, ...(response.uiMessages ?? [])], text };
    },
  };
}

async function waysOf(url: string, options: LawOptions): Promise<AgentWays> {
  const { agent, context } = await agentWith(url, options);
  return {
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
    streamed: async (said) => await (await agent.stream(said)).text,
    parsed: async (said) => {
      const structuredOutput = { schema: z.object({ full: z.boolean() }) };
      return (await agent.generate(said, { structuredOutput })).object;
    },
    stopped: async (said, abortSignal) => {
      const { finishReason } = await agent.generate(said, { abortSignal });
      if (finishReason === 'aborted') throw new Error('aborted, as Mastra says');
    },
  };
}

describe('withContext for Mastra', () => {
  describeWithContext(mastraAgent);
  describeAgentWays(waysOf);
});
