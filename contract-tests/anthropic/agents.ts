import Anthropic from '@anthropic-ai/sdk';
import { withContext } from '@ctx/agent-adapter/anthropic';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import type { ResumableAgent, LawOptions } from '../with-context-laws.ts';

const object = (name: string) =>
  ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  }) satisfies Anthropic.Tool.InputSchema;

export const tools: Anthropic.Tool[] = [
  { name: 'read', description: 'Reads a file.', input_schema: object('part') },
  { name: 'look', description: 'Looks something up.', input_schema: object('part') },
  { name: 'write', description: 'Writes a file.', input_schema: object('path') },
];

function runTool({ name, input }: Anthropic.ToolUseBlock): string {
  const { part = '' } = input as { readonly part?: string };
  if (name === 'read') return textOfPart(part);
  if (name === 'look') return JSON.stringify(foundOf(part));
  if (name === 'write') return 'written';
  throw new Error(`the host has no tool ${name}`);
}

type History = Anthropic.MessageParam[];

/** The text of an answer. */
export const textIn = (content: readonly Anthropic.ContentBlock[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

/** How the host asks. */
export type Ask = (
  client: Anthropic,
  params: Anthropic.MessageCreateParamsNonStreaming,
) => Promise<Anthropic.Message>;

export const asks: Readonly<Record<string, Ask>> = {
  create: (client, params) => client.messages.create(params),
  stream: (client, params) => client.messages.stream(params).finalMessage(),
};

/** The loop that stands in Anthropic's documentation. */
export function agentOf(ask: Ask, baseURL: string, options: LawOptions): ResumableAgent<History> {
  const plain = new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0 });
  const client = withContext(plain, options);
  return {
    end: client.end,
    round: async (before = [], said, onStep) => {
      const messages: History = [...before];
      if (said !== undefined) messages.push({ role: 'user', content: said });
      for (;;) {
        onStep?.(messages);
        const fixed = { model: 'claude-opus-5', max_tokens: 1000, system: 'be brief' };
        const message = await ask(client, { ...fixed, tools, messages });
        messages.push({ role: 'assistant', content: message.content });
        const calls = message.content.filter((block) => block.type === 'tool_use');
        if (calls.length === 0) return { history: messages, text: textIn(message.content) };
        const content = calls.map((call) => ({
          ...{ type: 'tool_result' as const, tool_use_id: call.id, content: runTool(call) },
        }));
        messages.push({ role: 'user', content });
      }
    },
  };
}
