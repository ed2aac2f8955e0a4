import { withContext } from '@ctx/agent-adapter/langchain';
import {
  type BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import type { Hear, LawOptions, ResumableAgent } from '../with-context-laws.ts';

const part = z.object({ part: z.string() });

export const tools = [
  tool(({ part: name }) => textOfPart(name), { name: 'read', schema: part }),
  tool(({ part: name }) => JSON.stringify(foundOf(name)), { name: 'look', schema: part }),
  tool(() => 'written', { name: 'write', schema: z.looseObject({ path: z.string() }) }),
];

export const fromStored = mapStoredMessagesToChatMessages;

export function chatModel(baseURL: string): ChatOpenAI {
  const fixed = { model: 'gpt-5.2', apiKey: 'none', maxRetries: 0, useResponsesApi: false };
  return new ChatOpenAI({ ...fixed, configuration: { baseURL } });
}

const isCalling = ({ data }: StoredMessage): boolean => {
  const { tool_calls: calls } = data as { readonly tool_calls?: readonly object[] };
  return calls !== undefined && calls.length > 0;
};

interface Hearing {
  readonly onStep: ((history: StoredMessage[]) => void) | undefined;
  readonly hear: Hear | undefined;
}

/** Runs an agent of LangChain and returns the messages that it has at the end. */
async function run(agent: ChainAgent, messages: BaseMessage[], { onStep, hear }: Hearing) {
  const streamMode: ('values' | 'messages')[] = hear ? ['values', 'messages'] : ['values'];
  let state = messages;
  for await (const [mode, given] of await agent.stream({ messages }, { streamMode })) {
    if (mode === 'messages') hear?.(given[0].text);
    else {
      state = given.messages;
      const stored = mapChatMessagesToStoredMessages(state);
      if (!stored.slice(-1).some(isCalling)) onStep?.(stored);
    }
  }
  return state;
}

async function openAgent(url: string, options: LawOptions) {
  const context = await withContext({ model: chatModel(url), tools, tool, fromStored, ...options });
  return { agent: createAgent(context), end: context.end };
}

type ChainAgent = Awaited<ReturnType<typeof openAgent>>['agent'];

/** An agent of LangChain, put together with one call. Its model streams if the host hears it. */
export async function chainAgent(
  url: string,
  options: LawOptions,
  hear?: Hear,
): Promise<ResumableAgent<StoredMessage[]>> {
  const { agent, end } = await openAgent(url, options);
  return {
    end,
    round: async (before = [], said, onStep) => {
      const asked = said === undefined ? [] : [new HumanMessage(said)];
      const state = await run(agent, [...fromStored(before), ...asked], { onStep, hear });
      const text = state.at(-1)?.text ?? '';
      return { history: mapChatMessagesToStoredMessages(state), text };
    },
  };
}
