import { describe } from 'vitest';
import { z } from 'zod';
import {
  type AgentWays,
  describeAgentWays,
  describeWithContext,
  type LawOptions,
} from '../with-context-laws.ts';
import { agentWith, mastraAgent } from './agents.ts';

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
