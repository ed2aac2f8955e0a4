import { withContext } from '@ctx/agent-adapter/langchain';
import {
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { describe } from 'vitest';
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import { describeWithContext, type LawfulAgent, type LawOptions } from '../with-context-laws.ts';

const part = z.object({ part: z.string() });

const tools = [
  tool(({ part: name }) => textOfPart(name), { name: 'read', schema: part }),
  tool(({ part: name }) => JSON.stringify(foundOf(name)), { name: 'look', schema: part }),
  tool(() => 'written', { name: 'write', schema: z.looseObject({ path: z.string() }) }),
];

const fromStored = mapStoredMessagesToChatMessages;

async function chainAgent(
  baseURL: string,
  options: LawOptions,
): Promise<LawfulAgent<StoredMessage[]>> {
  const configuration = { baseURL };
  const fixed = { model: 'gpt-5.2', apiKey: 'none', maxRetries: 0, useResponsesApi: false };
  const model = new ChatOpenAI({ ...fixed, configuration });
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

describe('withContext for LangChain', () => {
  describeWithContext(chainAgent);
});
