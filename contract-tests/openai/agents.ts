import OpenAI from 'openai';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import type { ContextClient, ResumableAgent } from '../with-context-laws.ts';

const given: readonly (readonly [name: string, argument: string])[] = [
  ['read', 'part'],
  ['look', 'part'],
  ['write', 'path'],
];

const functions = given.map(([name, argument]) => ({
  name,
  parameters: {
    type: 'object',
    properties: { [argument]: { type: 'string' } },
    required: [argument],
  },
}));

export const responseTools: OpenAI.Responses.FunctionTool[] = functions.map((each) => ({
  ...{ type: 'function', strict: false, ...each },
}));

export const chatTools: OpenAI.ChatCompletionFunctionTool[] = functions.map((each) => ({
  ...{ type: 'function', function: each },
}));

function runTool(name: string, input: string): string {
  const { part = '' } = JSON.parse(input) as { readonly part?: string };
  if (name === 'read') return textOfPart(part);
  if (name === 'look') return JSON.stringify(foundOf(part));
  if (name === 'write') return 'written';
  throw new Error(`the host has no tool ${name}`);
}

export const clientOptions = (baseURL: string) => ({
  ...{ baseURL, apiKey: 'none', maxRetries: 0 },
});

export const plainClient = (baseURL: string): OpenAI => new OpenAI(clientOptions(baseURL));

type Response = OpenAI.Responses.Response;

/** How a host asks for a response. */
export type AskResponse = (
  client: OpenAI,
  params: OpenAI.Responses.ResponseCreateParamsNonStreaming,
) => Promise<Response>;

export const responseAsks: Readonly<Record<string, AskResponse>> = {
  create: (client, params) => client.responses.create(params),
  stream: (client, params) => client.responses.stream({ ...params, stream: true }).finalResponse(),
};

/** The loop of OpenAI's documentation, with responses. */
export function responsesAgent(
  ask: AskResponse,
  client: OpenAI & ContextClient,
): ResumableAgent<OpenAI.Responses.ResponseInput> {
  return {
    end: client.end,
    round: async (before = [], said, onStep) => {
      const input: OpenAI.Responses.ResponseInput = [...before];
      if (said !== undefined) input.push({ role: 'user', content: said });
      for (;;) {
        onStep?.(input);
        const fixed = { model: 'gpt-5.2', instructions: 'be brief', store: false };
        const response = await ask(client, { ...fixed, tools: responseTools, input });
        input.push(...(response.output as OpenAI.Responses.ResponseInput));
        const calls = response.output.filter((item) => item.type === 'function_call');
        if (calls.length === 0) return { history: input, text: response.output_text };
        for (const { call_id, name, arguments: text } of calls) {
          input.push({ type: 'function_call_output', call_id, output: runTool(name, text) });
        }
      }
    },
  };
}

/** How a host asks for a chat completion. */
export type AskChat = (
  client: OpenAI,
  params: OpenAI.ChatCompletionCreateParamsNonStreaming,
) => Promise<OpenAI.ChatCompletion>;

export const chatAsks: Readonly<Record<string, AskChat>> = {
  create: (client, params) => client.chat.completions.create(params),
  stream: (client, params) =>
    client.chat.completions.stream({ ...params, stream: true }).finalChatCompletion(),
};

const chatParams = { model: 'gpt-5.2', tools: chatTools };

function messageIn({ choices: [choice] }: OpenAI.ChatCompletion): OpenAI.ChatCompletionMessage {
  if (choice === undefined) throw new Error('the API gave no choice');
  return choice.message;
}

/** The loop of OpenAI's documentation, with chat completions. */
export function chatAgent(
  ask: AskChat,
  client: OpenAI & ContextClient,
): ResumableAgent<OpenAI.ChatCompletionMessageParam[]> {
  return {
    end: client.end,
    round: async (before = [{ role: 'system', content: 'be brief' }], said, onStep) => {
      const messages: OpenAI.ChatCompletionMessageParam[] = [...before];
      if (said !== undefined) messages.push({ role: 'user', content: said });
      for (;;) {
        onStep?.(messages);
        const message = messageIn(await ask(client, { ...chatParams, messages }));
        messages.push(message);
        const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
        if (calls.length === 0) return { history: messages, text: message.content ?? '' };
        for (const { id, function: called } of calls) {
          const content = runTool(called.name, called.arguments);
          messages.push({ role: 'tool', tool_call_id: id, content });
        }
      }
    },
  };
}
