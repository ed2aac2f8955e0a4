import { withContext } from '@ctx/agent-adapter/google';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { Content, GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { type ProviderServer, type Script, startProvider } from '../ai-sdk/provider-server.ts';
import { describeWithContext } from '../with-context-laws.ts';
import { waysToTry } from '../ways-to-try.ts';
import { asks, chatAgent, model, modelsAgent, plainClient, responsesTo, tools } from './agents.ts';

describe.each(waysToTry(Object.entries(asks)))(
  'withContext for Google by models.%s',
  (_name, ask) => {
    describeWithContext(async (url, options) =>
      modelsAgent(ask, withContext(plainClient(url), options)),
    );
  },
);

describe('withContext for Google by chats', () => {
  describeWithContext(async (url, options) => chatAgent(withContext(plainClient(url), options)));
});

const status = { id: 'own', name: 'ctx_status', input: {} };
const theirs = { id: 'theirs', name: 'look', input: { part: 'a' } };
const asked: Content = { role: 'user', parts: [{ text: 'How full is it?' }] };

const both: Script = (_request, count) =>
  count > 1 ? { text: 'done', calls: [] } : { text: 'let me see', calls: [status, theirs] };

const twoRounds: Script = (_request, count) =>
  count > 1 ? { text: 'half full', calls: [] } : { text: 'well, ', calls: [status] };

async function inClient(
  script: Script,
  run: (client: GoogleGenAI, server: ProviderServer) => Promise<void>,
): Promise<void> {
  const store = await openStore(memoryBackend());
  const { countTokens } = store;
  await using server = await startProvider(script, { windowTokens: 100_000, countTokens });
  await using client = withContext(plainClient(server.url), { session: 's', store });
  await run(client, server);
  expect(server.refusals).toEqual([]);
}

describe('withContext for Google', () => {
  it.each(Object.entries(asks))(
    'hides a call of ctx beside one of the host, and brings it back with one turn of responses, by %s',
    async (_name, ask) => {
      await inClient(both, async (client, server) => {
        const content = await ask(client, { model, contents: [asked], config: { tools } });
        const calls = (content.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
        expect(calls.map(({ name }) => name)).toEqual(['look']);
        const answered: Content = { role: 'user', parts: responsesTo(calls) };
        const contents = [asked, content, answered];
        await ask(client, { model, contents, config: { tools } });
        const sent = JSON.parse(server.requests[1] ?? '') as { readonly contents: Content[] };
        expect(sent.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
        const names = sent.contents[2]?.parts?.map((part) => part.functionResponse?.name);
        expect(names).toEqual(['ctx_status', 'look']);
      });
    },
  );

  it('gives one answer for several rounds, with all that was used', async () => {
    await inClient(twoRounds, async (client, { sizes }) => {
      const answer = await client.models.generateContent({ model, contents: 'How full is it?' });
      expect(answer.text).toBe('well, half full');
      expect(answer.functionCalls).toBeUndefined();
      expect(answer.usageMetadata?.promptTokenCount).toBe((sizes[0] ?? 0) + (sizes[1] ?? 0));
    });
  });

  it('streams several rounds as one answer that ends once, with all that was used', async () => {
    await inClient(twoRounds, async (client, { sizes }) => {
      const chunks = [];
      const asking = { model, contents: 'How full is it?' };
      for await (const chunk of await client.models.generateContentStream(asking)) {
        chunks.push(chunk);
      }
      expect(chunks.map(({ text = '' }) => text).join('')).toBe('well, half full');
      const reasons = chunks.flatMap(({ candidates }) => candidates?.[0]?.finishReason ?? []);
      expect(reasons).toEqual(['STOP']);
      const used = chunks.flatMap(({ usageMetadata }) => usageMetadata?.promptTokenCount ?? []);
      expect(used).toEqual([(sizes[0] ?? 0) + (sizes[1] ?? 0)]);
    });
  });

  it('offers nothing to read back with where the API takes no functions', async () => {
    await inClient([{ text: '{}', calls: [] }], async (client, { requests }) => {
      const config = { responseMimeType: 'application/json' };
      const { text } = await client.models.generateContent({ model, contents: 'As JSON', config });
      expect(text).toBe('{}');
      expect(requests[0]).not.toContain('ctx_');
    });
    const search = [{ googleSearch: {} }];
    await inClient([{ text: 'found', calls: [] }], async (client, { requests }) => {
      await client.models.generateContent({ model, contents: 'Search', config: { tools: search } });
      expect(requests[0]).not.toContain('ctx_');
    });
  });

  it('leaves the given client and what it cannot manage alone', async () => {
    await inClient(
      [
        { text: 'a', calls: [] },
        { text: 'b', calls: [] },
      ],
      async (client, server) => {
        await plainClient(server.url).models.generateContent({ model, contents: 'plain' });
        const config = { cachedContent: 'cachedContents/1' };
        await client.models.generateContent({ model, contents: 'cached', config });
        for (const request of server.requests) expect(request).not.toContain('ctx_');
      },
    );
  });

  it('sends nothing more after the host’s abort', async () => {
    const controller = new AbortController();
    const script: Script = () => {
      controller.abort();
      return { calls: [status] };
    };
    await inClient(script, async (client, server) => {
      const config = { abortSignal: controller.signal };
      const asking = client.models.generateContent({ model, contents: 'How full?', config });
      await expect(asking).rejects.toThrow(/abort/i);
      expect(server.requests).toHaveLength(1);
    });
  });
});
