import { withContext } from '@ctx/agent-adapter/openai';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ProviderServer, type Script, startProvider } from '../ai-sdk/provider-server.ts';
import { describeWithContext } from '../with-context-laws.ts';
import { waysToTry } from '../ways-to-try.ts';
import {
  chatAgent,
  chatAsks,
  chatTools,
  plainClient,
  responseAsks,
  responsesAgent,
  responseTools,
} from './agents.ts';

describe.each(waysToTry(Object.entries(responseAsks)))(
  'withContext for OpenAI by responses.%s',
  (_name, ask) => {
    describeWithContext(async (url, options) =>
      responsesAgent(ask, withContext(plainClient(url), options)),
    );
  },
);

describe.each(waysToTry(Object.entries(chatAsks)))(
  'withContext for OpenAI by chat.completions.%s',
  (_name, ask) => {
    describeWithContext(async (url, options) =>
      chatAgent(ask, withContext(plainClient(url), options)),
    );
  },
);

const status = { id: 'own', name: 'ctx_status', input: {} };
const theirs = { id: 'theirs', name: 'look', input: { part: 'a' } };
const asked = { role: 'user', content: 'How full is it?' } as const;
const model = 'gpt-5.2';

const both: Script = (_request, count) =>
  count > 1 ? { text: 'done', calls: [] } : { text: 'let me see', calls: [status, theirs] };

const twoRounds: Script = (_request, count) =>
  count > 1 ? { text: 'half full', calls: [] } : { text: 'well, ', calls: [status] };

async function inClient(
  script: Script,
  run: (client: OpenAI, server: ProviderServer) => Promise<void>,
): Promise<void> {
  const store = await openStore(memoryBackend());
  const { countTokens } = store;
  await using server = await startProvider(script, { windowTokens: 100_000, countTokens });
  await using client = withContext(plainClient(server.url), { session: 's', store });
  await run(client, server);
  expect(server.refusals).toEqual([]);
}

describe('withContext for OpenAI', () => {
  it.each(Object.entries(responseAsks))(
    'hides a call of ctx beside one of the host, and brings it back in the next request, by responses.%s',
    async (_name, ask) => {
      await inClient(both, async (client, server) => {
        const fixed = { model, tools: responseTools };
        const { output } = await ask(client, { ...fixed, input: [asked] });
        expect(output.map(({ type }) => type)).toEqual(['message', 'function_call']);
        const found = { type: 'function_call_output', call_id: 'theirs', output: 'found' } as const;
        const input = [asked, ...output, found] as OpenAI.Responses.ResponseInput;
        await ask(client, { ...fixed, input });
        expect(server.requests[1]).toMatch(/"type":"function_call_output","call_id":"own"/);
      });
    },
  );

  it.each(Object.entries(chatAsks))(
    'hides a call of ctx beside one of the host, and brings it back in the next request, by chat.completions.%s',
    async (_name, ask) => {
      await inClient(both, async (client, server) => {
        const fixed = { model, tools: chatTools };
        const { choices } = await ask(client, { ...fixed, messages: [asked] });
        const [{ message, finish_reason } = { message: undefined, finish_reason: '' }] = choices;
        if (message === undefined) throw new Error('the API gave no choice');
        expect(message.tool_calls?.map(({ id }) => id)).toEqual(['theirs']);
        expect(finish_reason).toBe('tool_calls');
        const found = { role: 'tool', tool_call_id: 'theirs', content: 'found' } as const;
        await ask(client, { ...fixed, messages: [asked, message, found] });
        expect(server.requests[1]).toContain('"tool_call_id":"own"');
      });
    },
  );

  it.each(Object.entries(responseAsks))(
    'takes a text as input and gives one answer for several rounds, with all that was used, by responses.%s',
    async (_name, ask) => {
      await inClient(twoRounds, async (client, { sizes }) => {
        const response = await ask(client, { model, input: 'How full is it?' });
        expect(response.output_text).toBe('well, half full');
        expect(response.usage?.input_tokens).toBe((sizes[0] ?? 0) + (sizes[1] ?? 0));
      });
    },
  );

  it('gives one completion for several rounds, with all that was used', async () => {
    await inClient(twoRounds, async (client, { sizes }) => {
      const { choices, usage } = await client.chat.completions.create({ model, messages: [asked] });
      expect(choices).toMatchObject([
        { message: { content: 'well, half full' }, finish_reason: 'stop' },
      ]);
      expect(choices[0]?.message.tool_calls).toBeUndefined();
      expect(usage?.prompt_tokens).toBe((sizes[0] ?? 0) + (sizes[1] ?? 0));
    });
  });

  it.each([true, false])('streams usage only to a host that asked for it (%s)', async (wanted) => {
    await inClient(twoRounds, async (client, { sizes }) => {
      const options = wanted ? { stream_options: { include_usage: true } } : {};
      const params: OpenAI.ChatCompletionCreateParamsStreaming = {
        ...{ model, messages: [asked], stream: true, ...options },
      };
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      for await (const chunk of await client.chat.completions.create(params)) chunks.push(chunk);
      const said = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      expect(said).toBe('well, half full');
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      const used = chunks.flatMap(({ usage }) => (usage ? [usage.prompt_tokens] : []));
      expect(used).toEqual(wanted ? [(sizes[0] ?? 0) + (sizes[1] ?? 0)] : []);
      expect(chunks.every(({ choices }) => choices.length === 1)).toBe(!wanted);
    });
  });

  it('parses a streamed answer to a schema after what the model read back', async () => {
    const script: Script = (_request, count) =>
      count % 2 === 1 ? { calls: [status] } : { text: '{"full":true}', calls: [] };
    const schema = z.object({ full: z.boolean() });
    await inClient(script, async (client, server) => {
      const text = { format: zodTextFormat(schema, 'fill') };
      const asking = client.responses.stream({ model, input: 'How full is it?', text });
      expect((await asking.finalResponse()).output_parsed).toEqual({ full: true });
      const response_format = zodResponseFormat(schema, 'fill');
      const chat = client.chat.completions.stream({ model, messages: [asked], response_format });
      const { choices } = await chat.finalChatCompletion();
      expect(choices[0]?.message.parsed).toEqual({ full: true });
      expect(server.requests).toHaveLength(4);
    });
  });

  it('says what to change if OpenAI keeps the conversation', async () => {
    await inClient(both, async (client) => {
      const asking = client.responses.create({ model, input: 'On', previous_response_id: 'r' });
      await expect(asking).rejects.toThrow(/pass all items as input/);
    });
  });

  it.each([
    ['responses', { input: 'How full?' }],
    ['chat', { messages: [asked] }],
  ] as const)('sends nothing more after the host’s abort, by %s', async (_name, question) => {
    const controller = new AbortController();
    const script: Script = () => {
      controller.abort();
      return { calls: [status] };
    };
    await inClient(script, async (client, server) => {
      const { signal } = controller;
      const asking =
        'input' in question
          ? client.responses.create({ model, ...question }, { signal })
          : client.chat.completions.create({ model, messages: [...question.messages] }, { signal });
      await expect(asking).rejects.toThrow(/abort/i);
      expect(server.requests).toHaveLength(1);
    });
  });
});
