import { withContext } from '@ctx/agent-adapter/ai-sdk';
import * as ai6 from 'ai6';
import { createAnthropic as anthropic6 } from 'ai6-anthropic';
import { createGoogleGenerativeAI as google6 } from 'ai6-google';
import { createOpenAI as openai6 } from 'ai6-openai';
import * as ai7 from 'ai7';
import { createAnthropic as anthropic7 } from 'ai7-anthropic';
import { createGoogleGenerativeAI as google7 } from 'ai7-google';
import { createOpenAI as openai7 } from 'ai7-openai';
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import { type Hear, heard, type LawOptions, type ResumableAgent } from '../with-context-laws.ts';

const apiKey = 'none';

/** Models of several providers, for the AI SDK 6. */
export const models6 = [
  ['openai responses', (baseURL: string) => openai6({ baseURL, apiKey })('gpt-5')],
  ['openai chat', (baseURL: string) => openai6({ baseURL, apiKey }).chat('gpt-4.1')],
  ['anthropic', (baseURL: string) => anthropic6({ baseURL, apiKey })('claude-sonnet-4-5')],
  ['google', (baseURL: string) => google6({ baseURL, apiKey })('gemini-2.5-pro')],
] as const;

/** Models of several providers, for the AI SDK 7. */
export const models7 = [
  ['openai responses', (baseURL: string) => openai7({ baseURL, apiKey })('gpt-5')],
  ['openai chat', (baseURL: string) => openai7({ baseURL, apiKey }).chat('gpt-4.1')],
  ['anthropic', (baseURL: string) => anthropic7({ baseURL, apiKey })('claude-sonnet-4-5')],
  ['google', (baseURL: string) => google7({ baseURL, apiKey })('gemini-2.5-pro')],
] as const;

const part = z.object({ part: z.string() });

/** The tools of the hard scenario. */
export const tools = {
  read: {
    description: 'Reads a file.',
    inputSchema: part,
    execute: async ({ part: name }: { readonly part: string }) => textOfPart(name),
  },
  look: {
    description: 'Looks something up.',
    inputSchema: part,
    execute: async ({ part: name }: { readonly part: string }) => foundOf(name),
  },
  write: {
    description: 'Writes a file.',
    inputSchema: z.object({ path: z.string(), content: z.string() }),
    execute: async () => 'written',
  },
};

type History = ai6.ModelMessage[];

const asking = (said: string | undefined) =>
  said === undefined ? [] : [{ role: 'user' as const, content: said }];

/** An agent of the AI SDK, put together with one call. Streams if the host hears it. */
export async function agent6(
  plain: ai6.LanguageModel,
  options: LawOptions,
  hear?: Hear,
): Promise<ResumableAgent<History>> {
  const { model, tools: offered, end } = await withContext({ model: plain, tools, ...options });
  return {
    end,
    round: async (before = [], said, onStep) => {
      const messages: History = [...before, ...asking(said)];
      onStep?.(messages);
      const given = {
        ...{ model, tools: offered, messages, maxRetries: 0, system: 'be brief' },
        stopWhen: ai6.stepCountIs(10),
        onStepFinish: ({ response, finishReason }: ai6.StepResult<typeof offered>) => {
          if (finishReason === 'tool-calls') onStep?.([...messages, ...response.messages]);
        },
      };
      const answered =
        hear === undefined
          ? await ai6.generateText(given)
          : await heard(ai6.streamText(given), hear);
      const { messages: added } = await answered.response;
      return { history: [...messages, ...added], text: await answered.text };
    },
  };
}

/** An agent of the AI SDK, put together with one call. Streams if the host hears it. */
export async function agent7(
  plain: ai7.LanguageModel,
  options: LawOptions,
  hear?: Hear,
): Promise<ResumableAgent<ai7.ModelMessage[]>> {
  const { model, tools: offered, end } = await withContext({ model: plain, tools, ...options });
  return {
    end,
    round: async (before = [], said, onStep) => {
      const messages: ai7.ModelMessage[] = [...before, ...asking(said)];
      onStep?.(messages);
      // Each step has its own messages here, those of the steps before it in the AI SDK 6.
      const saved = [...messages];
      const given = {
        ...{ model, tools: offered, messages, maxRetries: 0, instructions: 'be brief' },
        stopWhen: ai7.isStepCount(10),
        onStepEnd: ({ response, finishReason }: ai7.StepResult<typeof offered>) => {
          saved.push(...response.messages);
          if (finishReason === 'tool-calls') onStep?.(saved);
        },
      };
      const answered =
        hear === undefined
          ? await ai7.generateText(given)
          : await heard(ai7.streamText(given), hear);
      return {
        history: [...messages, ...(await answered.responseMessages)],
        text: await answered.text,
      };
    },
  };
}
