import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import * as aiSdk from '@ctx/agent-adapter/ai-sdk';
import * as anthropic from '@ctx/agent-adapter/anthropic';
import * as langchain from '@ctx/agent-adapter/langchain';
import * as mastra from '@ctx/agent-adapter/mastra';
import * as openaiAgents from '@ctx/agent-adapter/openai-agents';
import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent, tool as agentsTool, Runner, setTracingDisabled } from '@openai/agents-core';
import * as ai6 from 'ai6';
import { createAnthropic as anthropic6 } from 'ai6-anthropic';
import { createGoogleGenerativeAI as google6 } from 'ai6-google';
import { createOpenAI as openai6 } from 'ai6-openai';
import * as ai7 from 'ai7';
import { createAnthropic as anthropic7 } from 'ai7-anthropic';
import { createGoogleGenerativeAI as google7 } from 'ai7-google';
import { createOpenAI as openai7 } from 'ai7-openai';
import { createAgent, tool as langchainTool } from 'langchain';
import { expect, it } from 'vitest';
import { wires } from '../ai-sdk/provider-wires.ts';
import { scriptedClient } from '../anthropic/scripted-server.ts';
import { connect } from '../mcp/connect.ts';
import { modelOf, said } from '../openai-agents/run-agent.ts';

setTracingDisabled(true);

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
const document = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: pdf },
};

/** A session of which a picture and a document that the user pasted stand in message 0. */
async function shown() {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's' });
  const opaque = (data: { type: string }) =>
    ({ type: 'opaque', format: `anthropic:${data.type}`, data }) as const;
  const words = { type: 'text', text: 'What do these show?' } as const;
  const history: Message[] = [{ role: 'user', content: [words, opaque(image), opaque(document)] }];
  await manager.prepare(history);
  return { store, manager };
}

const input = { pointer: 'ctx://messages/0' };
const call = { id: 'toolu_1', name: 'ctx_read_output', input };

it('the Anthropic SDK sends a picture and a document as blocks of the result', async () => {
  const { manager } = await shown();
  const { client, requests } = scriptedClient((_request, count) =>
    count === 1
      ? { content: [{ type: 'tool_use', ...call }], stop_reason: 'tool_use' }
      : { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' },
  );
  await client.beta.messages.toolRunner({
    ...{ model: 'claude-opus-5', max_tokens: 100, thread: false },
    messages: [{ role: 'user', content: 'look' }],
    tools: anthropic.contextTools(manager, betaTool),
  });
  const result = requests[1]?.messages.at(-1)?.content[0];
  expect(result).toMatchObject({
    type: 'tool_result',
    content: [{ type: 'text' }, image, document],
  });
});

/** The settings of a provider whose requests are answered here, as its API would. */
function answeredBy(bodies: string[]) {
  const fetch = async (url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const wire = Object.entries(wires).find(([end]) => String(url).endsWith(end))?.[1];
    const text = String(init?.body);
    bodies.push(text);
    expect(wire?.problems(JSON.parse(text) as never)).toEqual([]);
    const step = bodies.length === 1 ? { calls: [call] } : { text: 'done', calls: [] };
    const body = JSON.stringify(wire?.answer(step, 10, bodies.length));
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
  return { baseURL: 'http://provider.local', apiKey: 'none', fetch };
}

type Settings = ReturnType<typeof answeredBy>;

const run6 = (model: ai6.LanguageModel, manager: ContextManager) =>
  ai6.generateText({
    ...{ model, prompt: 'look', stopWhen: ai6.stepCountIs(3) },
    tools: aiSdk.contextTools(manager, ai6.jsonSchema),
  });
const run7 = (model: ai7.LanguageModel, manager: ContextManager) =>
  ai7.generateText({
    ...{ model, prompt: 'look', stopWhen: ai7.isStepCount(3) },
    tools: aiSdk.contextTools(manager, ai7.jsonSchema),
  });

type Ask = (settings: Settings, manager: ContextManager) => Promise<unknown>;

const claude = 'claude-sonnet-4-5';
const gemini = 'gemini-2.5-pro';
const asks: readonly (readonly [string, Ask, string])[] = [
  ['OpenAI by AI SDK 6', (on, m) => run6(openai6(on)('gpt-5'), m), '"input_image"'],
  ['OpenAI by AI SDK 7', (on, m) => run7(openai7(on)('gpt-5'), m), '"input_image"'],
  ['Anthropic by AI SDK 6', (on, m) => run6(anthropic6(on)(claude), m), '{"type":"image","source"'],
  ['Anthropic by AI SDK 7', (on, m) => run7(anthropic7(on)(claude), m), '{"type":"image","source"'],
  ['Google by AI SDK 6', (on, m) => run6(google6(on)(gemini), m), '"inlineData"'],
  ['Google by AI SDK 7', (on, m) => run7(google7(on)(gemini), m), '"inlineData"'],
];

it.each(asks)('%s is sent the picture and the document themselves', async (_name, ask, form) => {
  const { manager } = await shown();
  const bodies: string[] = [];
  await ask(answeredBy(bodies), manager);
  const [, second = ''] = bodies;
  expect(second).toContain(form);
  expect([second.includes(png), second.includes(pdf)]).toEqual([true, true]);
  expect(second).not.toContain('anthropic:image');
});

it("OpenAI's Agents SDK takes them as an input image and an input file", async () => {
  const { manager } = await shown();
  const model = modelOf((_input, count) =>
    count === 1
      ? [
          {
            ...{ type: 'function_call', callId: call.id, name: call.name, status: 'completed' },
            arguments: JSON.stringify(input),
          },
        ]
      : [said('done')],
  );
  const tools = openaiAgents.contextTools(manager, agentsTool);
  const agent = new Agent({ name: 'a', instructions: 'be brief', model, tools });
  await new Runner().run(agent, 'look');
  const result = model.inputs[1]?.find(({ type }) => type === 'function_call_result');
  expect(result).toMatchObject({
    output: [
      { type: 'input_text' },
      { type: 'input_image', image: `data:image/png;base64,${png}` },
      { type: 'input_file', file: `data:application/pdf;base64,${pdf}` },
    ],
  });
});

it('LangChain holds them as content of the tool message', async () => {
  const { manager } = await shown();
  const model = fakeModel();
  const calls = [{ id: call.id, name: call.name, args: input, type: 'tool_call' as const }];
  model.respond(new AIMessage({ content: '', tool_calls: calls }));
  model.respond(new AIMessage('done'));
  const agent = createAgent({ model, tools: langchain.contextTools(manager, langchainTool) });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'look' }] });
  const result = messages.find((message) => message.type === 'tool');
  expect(result?.content).toMatchObject([
    { type: 'text' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    { type: 'file', mime_type: 'application/pdf', data: pdf },
  ]);
});

it('Mastra hands them to the model as media', async () => {
  const { manager } = await shown();
  const prompts: string[] = [];
  const usage = { inputTokens: 10, outputTokens: 10, totalTokens: 20 };
  const model = {
    ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script' },
    supportedUrls: {},
    doGenerate: ({ prompt }: { prompt: unknown }) => {
      prompts.push(JSON.stringify(prompt));
      const asks = { toolCallId: call.id, toolName: call.name, input: JSON.stringify(input) };
      return Promise.resolve({
        content:
          prompts.length === 1
            ? [{ type: 'tool-call' as const, ...asks }]
            : [{ type: 'text' as const, text: 'done' }],
        finishReason: prompts.length === 1 ? ('tool-calls' as const) : ('stop' as const),
        usage,
        warnings: [],
      });
    },
    doStream: () => Promise.reject(new Error('nothing is streamed here')),
  };
  const tools = mastra.contextTools(manager, createTool);
  const agent = new MastraAgent({ id: 'a', name: 'a', instructions: 'be brief', model, tools });
  await agent.generate('look', { maxSteps: 3 });
  expect(prompts[1]).toContain(`"type":"media","data":"${png}","mediaType":"image/png"`);
});

it('a client of MCP is sent an image and a resource', async () => {
  const { store } = await shown();
  const client = await connect({ store, sessionId: 's' });
  const { content } = await client.callTool({ name: call.name, arguments: input });
  expect(content).toMatchObject([
    { type: 'text' },
    { type: 'image', data: png, mimeType: 'image/png' },
    { type: 'resource', resource: { mimeType: 'application/pdf', blob: pdf } },
  ]);
});
