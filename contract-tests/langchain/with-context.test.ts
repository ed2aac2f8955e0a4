import { withContext } from '@ctx/agent-adapter/langchain';
import {
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, providerStrategy, tool } from 'langchain';
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

const tools = [
  tool(({ part: name }) => textOfPart(name), { name: 'read', schema: part }),
  tool(({ part: name }) => JSON.stringify(foundOf(name)), { name: 'look', schema: part }),
  tool(() => 'written', { name: 'write', schema: z.looseObject({ path: z.string() }) }),
];

const fromStored = mapStoredMessagesToChatMessages;

function chatModel(baseURL: string): ChatOpenAI {
  const fixed = { model: 'gpt-5.2', apiKey: 'none', maxRetries: 0, useResponsesApi: false };
  return new ChatOpenAI({ ...fixed, configuration: { baseURL } });
}

async function chainAgent(url: string, options: LawOptions): Promise<LawfulAgent<StoredMessage[]>> {
  const model = chatModel(url);
  const context = await withContext({ model, tools, tool, fromStored, ...options });
  const agent = createAgent(context);
  return {
    end: context.end,
    round: async (before = [], said) => {
      const messages = [...fromStored(before), new HumanMessage(said)];
      const answer = await agent.invoke({ messages });
      const text = answer.messages.at(-1)?.text ?? '';
      return { history: mapChatMessagesToStoredMessages(answer.messages), text };
    },
  };
}

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
