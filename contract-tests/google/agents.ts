import {
  type Content,
  type FunctionCall,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  type Tool,
} from '@google/genai';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import type { ContextClient, LawfulAgent, ResumableAgent } from '../with-context-laws.ts';

const given: readonly (readonly [name: string, argument: string])[] = [
  ['read', 'part'],
  ['look', 'part'],
  ['write', 'path'],
];

export const tools: Tool[] = [
  {
    functionDeclarations: given.map(([name, argument]) => ({
      name,
      parametersJsonSchema: {
        type: 'object',
        properties: { [argument]: { type: 'string' } },
        required: [argument],
      },
    })),
  },
];

export const model = 'gemini-3-pro';

export const clientOptions = (baseUrl: string) => ({
  ...{ apiKey: 'none', vertexai: false, httpOptions: { baseUrl } },
});

export const plainClient = (baseUrl: string): GoogleGenAI =>
  new GoogleGenAI(clientOptions(baseUrl));

function runTool({ name = '', args = {} }: FunctionCall): Record<string, unknown> {
  const part = typeof args['part'] === 'string' ? args['part'] : '';
  if (name === 'read') return { output: textOfPart(part) };
  if (name === 'look') return foundOf(part);
  if (name === 'write') return { output: 'written' };
  throw new Error(`the host has no tool ${name}`);
}

/** The responses to the calls of a turn. */
export function responsesTo(calls: readonly FunctionCall[]): Part[] {
  return calls.map((call) => {
    const { id, name = '' } = call;
    return {
      functionResponse: { ...(id === undefined ? {} : { id }), name, response: runTool(call) },
    };
  });
}

/** How a host asks for a turn of the model. */
export type Ask = (client: GoogleGenAI, params: GenerateContentParameters) => Promise<Content>;

function contentOf({ candidates }: GenerateContentResponse): Content {
  const content = candidates?.[0]?.content;
  if (content === undefined) throw new Error('the API gave no content');
  return content;
}

export const asks: Readonly<Record<string, Ask>> = {
  generateContent: async (client, params) => contentOf(await client.models.generateContent(params)),
  generateContentStream: async (client, params) => {
    const parts: Part[] = [];
    for await (const chunk of await client.models.generateContentStream(params)) {
      parts.push(...(contentOf(chunk).parts ?? []));
    }
    return { role: 'model', parts };
  },
};

const callsIn = ({ parts = [] }: Content): FunctionCall[] =>
  parts.flatMap(({ functionCall }) => functionCall ?? []);

const textIn = ({ parts = [] }: Content): string => parts.map(({ text = '' }) => text).join('');

/** The loop of Google's documentation. */
export function modelsAgent(
  ask: Ask,
  client: GoogleGenAI & ContextClient,
): ResumableAgent<Content[]> {
  const config = { systemInstruction: 'be brief', tools };
  return {
    end: client.end,
    round: async (before = [], said, onStep) => {
      const contents: Content[] = [...before];
      if (said !== undefined) contents.push({ role: 'user', parts: [{ text: said }] });
      for (;;) {
        onStep?.(contents);
        const content = await ask(client, { model, contents, config });
        contents.push(content);
        const calls = callsIn(content);
        if (calls.length === 0) return { history: contents, text: textIn(content) };
        contents.push({ role: 'user', parts: responsesTo(calls) });
      }
    },
  };
}

/** The chat of Google's SDK, streamed: it keeps the history itself, a content for each chunk. */
export function chatAgent(client: GoogleGenAI & ContextClient): LawfulAgent<Content[]> {
  const config = { systemInstruction: 'be brief', tools };
  return {
    end: client.end,
    round: async (history = [], said) => {
      const chat = client.chats.create({ model, config, history });
      let message: Part[] = [{ text: said }];
      for (;;) {
        const parts: Part[] = [];
        for await (const { candidates } of await chat.sendMessageStream({ message })) {
          parts.push(...(candidates?.[0]?.content?.parts ?? []));
        }
        const calls = callsIn({ parts });
        if (calls.length === 0) return { history: chat.getHistory(), text: textIn({ parts }) };
        message = responsesTo(calls);
      }
    },
  };
}
