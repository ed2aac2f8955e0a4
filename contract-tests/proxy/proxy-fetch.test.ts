import { createServer } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { createProxy, proxyFetch } from '@ctx/proxy';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import * as ai6 from 'ai6';
import { createAnthropic as anthropic6 } from 'ai6-anthropic';
import * as ai7 from 'ai7';
import { createAnthropic as anthropic7 } from 'ai7-anthropic';
import { createOpenAI as openai7 } from 'ai7-openai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { prefixOf, problemOf } from '../../packages/proxy/src/test-support/judge-anthropic.ts';
import {
  chatPrefixOf,
  chatProblemOf,
} from '../../packages/proxy/src/test-support/judge-openai-chat.ts';
import {
  responsesPrefixOf,
  responsesProblemOf,
} from '../../packages/proxy/src/test-support/judge-openai-responses.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { openAiChatApi } from './apis/openai-chat.ts';
import { openAiResponsesApi } from './apis/openai-responses.ts';
import { changedItems } from './real-client.ts';
import { type ScriptedProvider, scriptedProvider, type Turn } from './scripted-provider.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const log = Array.from({ length: 1200 }, (_, line) => `step ${String(line)} of the build`).join(
  '\n',
);

const script: readonly Turn[] = [
  { tool: 'run', input: { command: 'make' } },
  { tool: 'run', input: { command: 'make test' } },
  { text: 'All chores are done.' },
];

async function place(provider: ScriptedProvider) {
  opened.push(provider);
  const store = await openStore(memoryBackend());
  const proxy = createProxy({ store });
  opened.push(proxy, store);
  return { proxy, fetch: proxyFetch({ proxy }), store };
}

function judged(provider: ScriptedProvider, prefix: (body: unknown) => readonly string[]): void {
  expect(provider.refused).toEqual([]);
  expect(provider.received).toHaveLength(script.length);
  expect(changedItems(provider.received.map(({ body }) => prefix(body)))).toEqual([]);
  const last = JSON.stringify(provider.received.at(-1)?.body);
  expect(last).toContain('ctx read ctx://outputs/');
  expect(last).not.toContain('step 800 of the build');
}

describe('a program whose SDK gets a fetch of the proxy', () => {
  it('talks to Anthropic with less, streamed', async () => {
    const judge = (body: unknown): string | undefined => problemOf(body, new Set());
    const provider = await scriptedProvider({ api: anthropicApi, script, judge });
    const { proxy, fetch, store } = await place(provider);
    const client = new Anthropic({ baseURL: provider.url, apiKey: 'dummy', fetch });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Do the chores.' }];
    let said = '';
    while (said === '') {
      const stream = client.messages.stream({
        model: 'claude-sonnet-4-5',
        max_tokens: 1000,
        messages,
        tools: [{ name: 'run', input_schema: { type: 'object' } }],
      });
      const { content } = await stream.finalMessage();
      messages.push({ role: 'assistant', content });
      const [block] = content;
      if (block?.type === 'text') said = block.text;
      if (block?.type !== 'tool_use') continue;
      const result = { type: 'tool_result', tool_use_id: block.id, content: log } as const;
      messages.push({ role: 'user', content: [result] });
    }
    expect(said).toBe('All chores are done.');
    judged(provider, prefixOf);
    const totals = proxy.totals();
    expect(totals).toMatchObject({ requests: 3, failedOpen: 0 });
    expect(totals.plainTokens).toBeGreaterThan(totals.inputTokens * 1.5);
    expect((await store.sessions.list({})).entries).toHaveLength(1);
  });

  it('talks to Chat Completions with less', async () => {
    const provider = await scriptedProvider({ api: openAiChatApi, script, judge: chatProblemOf });
    const { proxy, fetch } = await place(provider);
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'dummy', fetch });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Do the chores.' },
    ];
    let said = '';
    while (said === '') {
      const { choices } = await client.chat.completions
        .stream({
          model: 'gpt-5',
          messages,
          tools: [{ type: 'function', function: { name: 'run', parameters: {} } }],
        })
        .finalChatCompletion();
      const message = choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      said = message.content ?? '';
      for (const { id } of message.tool_calls ?? []) {
        messages.push({ role: 'tool', tool_call_id: id, content: log });
      }
    }
    expect(said).toBe('All chores are done.');
    judged(provider, chatPrefixOf);
    expect(proxy.totals()).toMatchObject({ requests: 3, failedOpen: 0 });
  });

  it('talks to Responses with less', async () => {
    const judge = (body: unknown): string | undefined => responsesProblemOf(body, () => true);
    const provider = await scriptedProvider({ api: openAiResponsesApi, script, judge });
    const { proxy, fetch } = await place(provider);
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'dummy', fetch });
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Do the chores.' }];
    let said = '';
    while (said === '') {
      const stream = await client.responses.create({
        model: 'gpt-5',
        input,
        store: false,
        stream: true,
        tools: [{ type: 'function', name: 'run', parameters: {}, strict: false }],
      });
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') said += event.delta;
        if (event.type !== 'response.output_item.done') continue;
        input.push(event.item as OpenAI.Responses.ResponseInputItem); // What was answered may be asked again.
        if (event.item.type !== 'function_call') continue;
        input.push({ type: 'function_call_output', call_id: event.item.call_id, output: log });
      }
    }
    expect(said).toBe('All chores are done.');
    judged(provider, responsesPrefixOf);
    expect(proxy.totals()).toMatchObject({ requests: 3, failedOpen: 0 });
  });

  const asked = {
    prompt: 'Do the chores.',
    tools: {
      run: {
        inputSchema: z.object({ command: z.string() }),
        execute: () => Promise.resolve(log),
      },
    },
  };
  const anthropicJudge = (body: unknown): string | undefined => problemOf(body, new Set());
  const anthropic = { api: anthropicApi, judge: anthropicJudge, prefix: prefixOf };
  const responses = {
    api: openAiResponsesApi,
    judge: (body: unknown): string | undefined => responsesProblemOf(body, () => true),
    prefix: responsesPrefixOf,
  };
  type Said = (baseURL: string, fetch: typeof globalThis.fetch) => PromiseLike<string>;
  const named = 'claude-sonnet-4-5';
  const apiKey = 'dummy';

  it.each<readonly [string, typeof anthropic | typeof responses, Said]>([
    [
      'Anthropic through version 6 of the AI SDK, streamed',
      anthropic,
      (baseURL, fetch) => {
        const model = anthropic6({ baseURL, apiKey, fetch })(named);
        return ai6.streamText({ ...asked, model, stopWhen: ai6.stepCountIs(9) }).text;
      },
    ],
    [
      'Anthropic through version 7 of the AI SDK, streamed',
      anthropic,
      (baseURL, fetch) => {
        const model = anthropic7({ baseURL, apiKey, fetch })(named);
        return ai7.streamText({ ...asked, model, stopWhen: ai7.isStepCount(9) }).text;
      },
    ],
    [
      'Responses through version 7 of the AI SDK, streamed',
      responses,
      (baseURL, fetch) => {
        const model = openai7({ baseURL, apiKey, fetch })('gpt-5');
        // Items that the provider keeps are named by their ids: that place has none.
        const providerOptions = { openai: { store: false } };
        const stopWhen = ai7.isStepCount(9);
        return ai7.streamText({ ...asked, model, providerOptions, stopWhen }).text;
      },
    ],
  ])('talks to %s with less', async (_name, { api, judge, prefix }, say) => {
    const provider = await scriptedProvider({ api, script, judge });
    const { proxy, fetch } = await place(provider);
    expect(await say(`${provider.url}/v1`, fetch)).toBe('All chores are done.');
    judged(provider, prefix);
    expect(proxy.totals()).toMatchObject({ requests: 3, failedOpen: 0 });
  });

  it('gets everything else as it came: other paths, refusals, and what the SDK throws of them', async () => {
    const server = createServer((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end('{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    const client = new Anthropic({
      baseURL: `http://127.0.0.1:${String(port)}`,
      apiKey: 'dummy',
      maxRetries: 0,
      fetch: proxyFetch({ proxy }),
    });
    const tools = [{ name: 'run', input_schema: { type: 'object' as const } }];
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const asked = client.messages.create({ model: 'm', max_tokens: 9, messages, tools });
    await expect(asked).rejects.toThrow('slow down');
    await expect(client.models.list()).rejects.toThrow('slow down');
    server.close();
  });
});
