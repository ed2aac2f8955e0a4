import type { Part } from '@google/genai';
import type { Ask as AskAnthropic } from '../anthropic/agents.ts';
import type { Ask as AskGoogle } from '../google/agents.ts';
import type { AskChat, AskResponse } from '../openai/agents.ts';
import type { Hear, LawOptions, ResumableAgent } from '../with-context-laws.ts';

/** What a host does with its agent, whatever history that has. */
export type UseAgent = <History>(agent: ResumableAgent<History>) => Promise<void>;

/** Loads its SDK when it is called: a process uses one of them. Has answers streamed if the host hears them. */
type WithAgent = (
  place: { readonly url: string; readonly options: LawOptions; readonly hear?: Hear },
  use: UseAgent,
) => Promise<void>;

const askAnthropic =
  (hear?: Hear): AskAnthropic =>
  ({ messages }, params) =>
    hear === undefined
      ? messages.create(params)
      : messages.stream(params).on('text', hear).finalMessage();

const askResponses =
  (hear?: Hear): AskResponse =>
  ({ responses }, params) =>
    hear === undefined
      ? responses.create(params)
      : responses
          .stream({ ...params, stream: true })
          .on('response.output_text.delta', ({ delta }) => {
            hear(delta);
          })
          .finalResponse();

const askChat =
  (hear?: Hear): AskChat =>
  ({ chat: { completions } }, params) =>
    hear === undefined
      ? completions.create(params)
      : completions
          .stream({ ...params, stream: true })
          .on('content', hear)
          .finalChatCompletion();

const askGoogle =
  (hear?: Hear): AskGoogle =>
  async ({ models }, params) => {
    const parts: Part[] = [];
    const chunks =
      hear === undefined
        ? [await models.generateContent(params)]
        : await models.generateContentStream(params);
    for await (const { candidates } of chunks) {
      const added = candidates?.[0]?.content?.parts ?? [];
      for (const { text } of added) hear?.(text ?? '');
      parts.push(...added);
    }
    return { role: 'model', parts };
  };

async function openaiClient(url: string, options: LawOptions) {
  const { withContext } = await import('@ctx/agent-adapter/openai');
  const { plainClient } = await import('../openai/agents.ts');
  return withContext(plainClient(url), options);
}

/** Agents that were put together with one call of `withContext`, by their SDK. */
export const agents: Readonly<Record<string, WithAgent>> = {
  'AI SDK 6': async ({ url, options, hear }, use) => {
    const { agent6, models6 } = await import('../ai-sdk/agents.ts');
    const [[, responses], [, chat]] = models6;
    await use(await agent6((hear ? chat : responses)(url), options, hear));
  },
  'AI SDK 7': async ({ url, options, hear }, use) => {
    const { agent7, models7 } = await import('../ai-sdk/agents.ts');
    const [, , [, model]] = models7;
    await use(await agent7(model(url), options, hear));
  },
  Anthropic: async ({ url, options, hear }, use) => {
    const { agentOf } = await import('../anthropic/agents.ts');
    await use(agentOf(askAnthropic(hear), url, options));
  },
  'OpenAI Responses': async ({ url, options, hear }, use) => {
    const { responsesAgent } = await import('../openai/agents.ts');
    await use(responsesAgent(askResponses(hear), await openaiClient(url, options)));
  },
  'OpenAI Chat': async ({ url, options, hear }, use) => {
    const { chatAgent } = await import('../openai/agents.ts');
    await use(chatAgent(askChat(hear), await openaiClient(url, options)));
  },
  Google: async ({ url, options, hear }, use) => {
    const { withContext } = await import('@ctx/agent-adapter/google');
    const { modelsAgent, plainClient } = await import('../google/agents.ts');
    await use(modelsAgent(askGoogle(hear), withContext(plainClient(url), options)));
  },
  LangChain: async ({ url, options, hear }, use) => {
    const { chainAgent } = await import('../langchain/agents.ts');
    await use(await chainAgent(url, options, hear));
  },
  Mastra: async ({ url, options, hear }, use) => {
    const { mastraAgent } = await import('../mastra/agents.ts');
    await use(await mastraAgent(url, options, hear));
  },
  'OpenAI Agents': async ({ url, options, hear }, use) => {
    const { models, sdkAgent } = await import('../openai-agents/agents.ts');
    const given = hear === undefined ? { url, options } : { url, options, hear };
    await use(await sdkAgent(hear ? models.chat : models.responses, given));
  },
};
