import { withContext as withGoogle } from '@ctx/agent-adapter/google';
import { withContext as withOpenai } from '@ctx/agent-adapter/openai';
import { agent6, agent7, models6, models7 } from '../ai-sdk/agents.ts';
import { agentOf } from '../anthropic/agents.ts';
import { modelsAgent, plainClient as googleClient } from '../google/agents.ts';
import { plainClient, responsesAgent } from '../openai/agents.ts';
import type { LawOptions, ResumableAgent } from '../with-context-laws.ts';

/** What a host does with its agent, whatever history that has. */
export type UseAgent = <History>(agent: ResumableAgent<History>) => Promise<void>;

type WithAgent = (url: string, options: LawOptions, use: UseAgent) => Promise<void>;

const [[, openaiModel]] = models6;
const [, , [, anthropicModel]] = models7;

/** Agents that were put together with one call of `withContext`, by their SDK. */
export const agents: Readonly<Record<string, WithAgent>> = {
  'AI SDK 6': async (url, options, use) => use(await agent6(openaiModel(url), options)),
  'AI SDK 7': async (url, options, use) => use(await agent7(anthropicModel(url), options)),
  Anthropic: (url, options, use) =>
    use(agentOf((client, params) => client.messages.create(params), url, options)),
  OpenAI: (url, options, use) => {
    const client = withOpenai(plainClient(url), options);
    return use(responsesAgent((each, params) => each.responses.create(params), client));
  },
  Google: (url, options, use) => {
    const client = withGoogle(googleClient(url), options);
    return use(
      modelsAgent(async (each, params) => {
        const { candidates } = await each.models.generateContent(params);
        const content = candidates?.[0]?.content;
        if (content === undefined) throw new Error('the API gave no content');
        return content;
      }, client),
    );
  },
};
