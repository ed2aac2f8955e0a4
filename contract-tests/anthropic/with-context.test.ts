import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { withContext } from '@ctx/agent-adapter/anthropic';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { textOfPart } from '../hard-scenario.ts';
import { waysToTry } from '../ways-to-try.ts';
import { describeWithContext } from '../with-context-laws.ts';
import { type Ask, agentOf, asks, textIn, tools } from './agents.ts';
import { problemsOf } from './judge-request.ts';
import { type Script, scriptedClient } from './scripted-server.ts';

describe.each(waysToTry(Object.keys(asks)))('withContext for Anthropic by messages.%s', (name) => {
  const ask = asks[name] as Ask;
  describeWithContext(async (url, options) => agentOf(ask, url, options));
});

const text = (said: string) => ({ type: 'text', text: said });
const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const status = use('own', 'ctx_status', {});
const fixed = { model: 'claude-opus-5', max_tokens: 1000 };
const asked = { role: 'user', content: 'How full is it?' } as const;

async function start(script: Script) {
  const store = await openStore(memoryBackend());
  const { client: plain, requests } = scriptedClient(script);
  return { store, requests, client: withContext(plain, { session: 's', store }) };
}

describe('withContext for Anthropic', () => {
  const both: Script = (_request, count) => {
    if (count > 1) return { content: [text('done')], stop_reason: 'end_turn' };
    const content = [text('let me see'), status, use('theirs', 'look', { part: 'a' })];
    return { content, stop_reason: 'tool_use' };
  };

  it.each(Object.keys(asks))(
    'hides a call of ctx beside one of the host, and brings it back in the next request, by %s',
    async (name) => {
      const { client, requests } = await start(both);
      const ask = asks[name] as Ask;
      const first = await ask(client, { ...fixed, tools, messages: [asked] });
      expect(first.content.map(({ type }) => type)).toEqual(['text', 'tool_use']);
      expect(first.stop_reason).toBe('tool_use');
      const result = { type: 'tool_result', tool_use_id: 'theirs', content: 'found' } as const;
      const answer = { role: 'assistant', content: first.content } as const;
      const messages = [asked, answer, { role: 'user' as const, content: [result] }];
      await ask(client, { ...fixed, tools, messages });
      expect(requests).toHaveLength(2);
      for (const request of requests) expect(problemsOf(request)).toEqual([]);
      expect(JSON.stringify(requests[1])).toContain('"tool_use_id":"own"');
    },
  );

  it('keeps what a user says for their next session, whose prompt gets it from the manager', async () => {
    const { store, client } = await start(() => ({
      content: [text('ok')],
      stop_reason: 'end_turn',
    }));
    const open = (session: string) =>
      withContext(client, { session, store, memory: { scope: { user: 'ada' } } });
    const first = open('one');
    const messages = [{ role: 'user' as const, content: 'I live in Bern.' }];
    await first.messages.create({ ...fixed, messages });
    await first.end();
    const next = await open('two').manager();
    expect(await next.memory?.block()).toContain('I live in Bern');
    expect(await open('three').manager()).not.toBe(next);
  });

  it('gives one message for what took several rounds, with all that was used', async () => {
    const script: Script = (_request, count) =>
      count > 1
        ? { content: [text('half full')], stop_reason: 'end_turn', usage: { input_tokens: 70 } }
        : {
            content: [text('well, '), status],
            stop_reason: 'tool_use',
            usage: { input_tokens: 50 },
          };
    const { client } = await start(script);
    const whole = await client.messages.create({ ...fixed, messages: [asked] });
    expect(textIn(whole.content)).toBe('well, half full');
    expect([whole.stop_reason, whole.usage.input_tokens]).toEqual(['end_turn', 120]);
    const { client: other } = await start(script);
    const stream = other.messages.stream({ ...fixed, messages: [asked] });
    const heard: string[] = [];
    stream.on('text', (piece) => heard.push(piece));
    const streamed = await stream.finalMessage();
    expect(heard.join('')).toBe('well, half full');
    expect(streamed.content).toEqual(whole.content);
    expect([streamed.stop_reason, streamed.usage.input_tokens]).toEqual(['end_turn', 120]);
  });

  it('serves the tool runner, and says what to change where the server keeps the conversation', async () => {
    const script: Script = (_request, count) =>
      count > 3
        ? { content: [text('all read')], stop_reason: 'end_turn' }
        : { content: [use(`c${String(count)}`, 'read', { part: 'b3' })], stop_reason: 'tool_use' };
    const { client, requests } = await start(script);
    const inputSchema = {
      type: 'object',
      properties: { part: { type: 'string' } },
      required: ['part'],
    } as const;
    const run = async ({ part }: { readonly part: string }) => textOfPart(part);
    const read = betaTool({ name: 'read', description: 'Reads.', inputSchema, run });
    const params = { ...fixed, messages: [asked], tools: [read] };
    const last = await client.beta.messages.toolRunner({ ...params, thread: false });
    expect(last.content).toMatchObject([text('all read')]);
    for (const request of requests) expect(JSON.stringify(request).length).toBeLessThan(100_000);
    const threaded = client.beta.messages.toolRunner(params);
    await expect((async () => threaded)()).rejects.toThrow('pass thread: false');
  });

  it('parses an answer to a schema after what the model read back, and is closed by await using', async () => {
    const script: Script = (_request, count) =>
      count % 2 === 1
        ? { content: [status], stop_reason: 'tool_use' }
        : { content: [text('{"full":true}')], stop_reason: 'end_turn' };
    const { client: given, store } = await start(script);
    const output_config = { format: zodOutputFormat(z.object({ full: z.boolean() })) };
    const params = { ...fixed, messages: [asked], output_config };
    {
      await using client = given;
      expect((await client.messages.parse(params)).parsed_output).toEqual({ full: true });
      const streamed = await client.messages.stream(params).finalMessage();
      expect(streamed.parsed_output).toEqual({ full: true });
    }
    expect((await store.sessions.get('s'))?.document.token_usage.total_output).toBe(40);
  });

  it('ends with the host’s abort, and asks nothing more for what was read back', async () => {
    const controller = new AbortController();
    const { client, requests } = await start(() => {
      controller.abort();
      return { content: [status], stop_reason: 'tool_use' };
    });
    const asking = client.messages.create(
      { ...fixed, messages: [asked] },
      { signal: controller.signal },
    );
    await expect(asking).rejects.toThrow(/abort/i);
    await client.end();
    expect(requests).toHaveLength(1);
  });
});
