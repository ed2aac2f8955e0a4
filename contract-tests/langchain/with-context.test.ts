import { withContext } from '@ctx/agent-adapter/langchain';
import { HumanMessage } from '@langchain/core/messages';
import { createAgent, providerStrategy, tool } from 'langchain';
import { describe } from 'vitest';
import { z } from 'zod';
import {
  type AgentWays,
  describeAgentWays,
  describeWithContext,
  type LawOptions,
} from '../with-context-laws.ts';
import { chainAgent, chatModel, fromStored, tools } from './agents.ts';

async function waysOf(url: string, options: LawOptions): Promise<AgentWays> {
  const context = await withContext({ model: chatModel(url), tools, tool, fromStored, ...options });
  const asked = (said: string) => ({ messages: [new HumanMessage(said)] });
  return {
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
    streamed: async (said) => {
      let text = '';
      const stream = await createAgent(context).stream(asked(said), { streamMode: 'messages' });
      for await (const [message] of stream) if (message.type === 'ai') text += message.text;
      return text;
    },
    parsed: async (said) => {
      const responseFormat = providerStrategy(z.object({ full: z.boolean() }));
      const answer = await createAgent({ ...context, responseFormat }).invoke(asked(said));
      return answer.structuredResponse;
    },
    stopped: (said, signal) => createAgent(context).invoke(asked(said), { signal }),
  };
}

describe('withContext for LangChain', () => {
  describeWithContext(chainAgent);
  describeAgentWays(waysOf);
});
