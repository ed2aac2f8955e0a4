import type Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { ContextManager } from '@ctx/agent-adapter';
import { createMessage, drive, wrapTools } from '@ctx/agent-adapter/anthropic';
import { logOfStep } from '../agent-scenario.ts';

const inputSchema = {
  type: 'object',
  properties: { step: { type: 'number' } },
  required: ['step'],
} as const;

/** The tools of the scenario, as the SDK's runner takes them. */
export const tools: BetaRunnableTool<{ readonly step: number }>[] = [
  betaTool({
    name: 'read_log',
    description: 'Reads the log of a step.',
    inputSchema,
    run: async ({ step }) => logOfStep(step),
  }),
  betaTool({
    name: 'add',
    description: 'Adds.',
    inputSchema,
    run: async ({ step }) => JSON.stringify({ sum: step + 1 }),
  }),
  betaTool({
    name: 'fail',
    description: 'Fails.',
    inputSchema,
    run: async (): Promise<string> => {
      throw new Error('this tool fails');
    },
  }),
];

type Param = Anthropic.Beta.BetaMessageParam;

export const firstMessages: readonly Param[] = [
  { role: 'user', content: 'Go through the log, step by step.' },
];

const fixed = { model: 'claude-opus-5', max_tokens: 1000, system: 'be brief' };

/** How the manager is put in. */
export type Wiring = 'loop' | 'runner' | 'streaming runner';

function textIn(content: readonly { readonly type: string }[]): string {
  return content.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('');
}

type Message = Anthropic.Beta.BetaMessage;

async function finalOf(item: Message | { finalMessage(): Promise<Message> }): Promise<Message> {
  return 'finalMessage' in item ? item.finalMessage() : item;
}

async function runTool(
  wrapped: typeof tools,
  toolUse: Anthropic.Beta.BetaToolUseBlock,
): Promise<Anthropic.Beta.BetaToolResultBlockParam> {
  const result = { type: 'tool_result', tool_use_id: toolUse.id } as const;
  const tool = wrapped.find(({ name }) => name === toolUse.name);
  try {
    const input = tool?.parse(toolUse.input);
    const content = await tool?.run(input as never, { toolUse, toolUseBlock: toolUse });
    return { ...result, content: content ?? '' };
  } catch (error) {
    return { ...result, content: `Error: ${String(error)}`, is_error: true };
  }
}

/** The plain loop that the README recommends. */
async function runLoop(
  client: Anthropic,
  manager: ContextManager,
  history: Param[],
): Promise<string> {
  const wrapped = wrapTools(manager, tools);
  const definitions = tools.map(({ name }) => ({
    ...{ name, description: name },
    input_schema: inputSchema,
  }));
  for (;;) {
    const params = { ...fixed, tools: definitions, messages: history };
    const { message } = await createMessage(manager, params, (fitting) =>
      client.beta.messages.create(fitting),
    );
    history.push({ role: 'assistant', content: message.content });
    if (message.stop_reason !== 'tool_use') return textIn(message.content);
    const calls = message.content.filter((block) => block.type === 'tool_use');
    const content = await Promise.all(calls.map((call) => runTool(wrapped, call)));
    history.push({ role: 'user', content });
  }
}

/** Runs the agent to its end and gives its last words. */
export async function runAgent(
  client: Anthropic,
  manager: ContextManager,
  { wiring, history = [...firstMessages] }: { readonly wiring: Wiring; readonly history?: Param[] },
): Promise<string> {
  if (wiring === 'loop') return runLoop(client, manager, history);
  const stream = wiring === 'streaming runner';
  const params = { ...fixed, stream, tools: wrapTools(manager, tools), messages: history };
  let last: Message | undefined;
  const items = drive(manager, params, (fitting) => client.beta.messages.toolRunner(fitting));
  for await (const item of items) last = await finalOf(item);
  return textIn(last?.content ?? []);
}
