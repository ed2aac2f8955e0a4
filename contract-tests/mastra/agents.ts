import { withContext } from '@ctx/agent-adapter/mastra';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createOpenAI } from 'ai6-openai';
import { z } from 'zod';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import { type Hear, heard, type LawOptions, type ResumableAgent } from '../with-context-laws.ts';

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

/** What Mastra says when a step and its tools are done. */
interface StepEnd {
  readonly finishReason?: string;
  readonly response: { readonly uiMessages?: readonly MessageOfChat[] };
}

interface MessageOfChat {
  readonly role: string;
  readonly id?: string;
}

export async function agentWith(url: string, options: LawOptions) {
  const model = createOpenAI({ baseURL: url, apiKey: 'none' }).chat('gpt-5.2');
  const context = await withContext({ model, tools, createTool, ...options });
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'be brief', ...context });
  return { agent, context };
}

/** The messages of a chat: an answer that is continued takes the place of what it was. */
function joined(messages: readonly MessageOfChat[], added: readonly MessageOfChat[] = []) {
  const ids = new Set(added.map(({ id }) => id));
  return [...messages.filter(({ id }) => id === undefined || !ids.has(id)), ...added];
}

/** An agent of Mastra, put together with one call. Streams if the host hears it. */
export async function mastraAgent(
  url: string,
  options: LawOptions,
  hear?: Hear,
): Promise<ResumableAgent<MessageOfChat[]>> {
  const { agent, context } = await agentWith(url, options);
  return {
    end: context.end,
    round: async (before = [], said, onStep) => {
      const messages = [
        ...before,
        ...(said === undefined ? [] : [{ role: 'user', content: said }]),
      ];
      onStep?.(messages);
      const given = {
        maxSteps: 30,
        onStepFinish: ({ response, finishReason }: StepEnd) => {
          if (finishReason === 'tool-calls') onStep?.(joined(messages, response.uiMessages));
        },
      };
      const answered =
        hear === undefined
          ? await agent.generate(messages as Given, given)
          : await heard(await agent.stream(messages as Given, given), hear);
      const { uiMessages } = await answered.response;
      return { history: joined(messages, uiMessages), text: await answered.text };
    },
  };
}
