import type Anthropic from '@anthropic-ai/sdk';
import { createContextManager } from '@ctx/agent-adapter';
import { createMessage, drive, streamMessage, wrapTools } from '@ctx/agent-adapter/anthropic';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { prepareParams } from '../../packages/agent-adapter/src/anthropic/prepare-params.ts';
import { problemsOf } from './judge-request.ts';
import { tools } from './run-agent.ts';
import {
  type Answer,
  refusalOf,
  type Script,
  scriptedClient,
  tokensOfRequest,
} from './scripted-server.ts';

type Param = Anthropic.Beta.BetaMessageParam;
type BetaParams = Anthropic.Beta.MessageCreateParamsNonStreaming;

async function open(windowTokens = 16_000) {
  const store = await openStore(memoryBackend());
  const model = { name: 'claude-opus-5', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
  return { store, manager };
}

const fixed = { model: 'claude-opus-5', max_tokens: 100 };
const done: Answer = { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' };
const callOf = (step: number): Answer => ({
  content: [{ type: 'tool_use', id: `c${String(step)}`, name: 'read_log', input: { step } }],
  stop_reason: 'tool_use',
});
const user = (content: string): Param => ({ role: 'user', content });
const assistant = (content: string): Param => ({ role: 'assistant', content });

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

const long = (turns: number): Param[] =>
  Array.from({ length: turns }, (_, index) => [
    user(`question ${String(index)} ${'word '.repeat(200)}`),
    assistant(`answer ${String(index)} ${'word '.repeat(200)}`),
  ]).flat();

describe('a request', () => {
  it('leaves what the host holds untouched, and gives copies that say the same', async () => {
    const { manager } = await open();
    const messages = frozen([user('hello'), assistant('hi'), user('again')]);
    const params = frozen({ ...fixed, system: 'be brief', messages });
    const { params: prepared } = await prepareParams(manager, params, { cacheMarks: false });
    expect(prepared.messages).toHaveLength(3);
    for (const [index, message] of prepared.messages.entries()) {
      expect(message).toEqual(messages[index]);
      expect(message).not.toBe(messages[index]);
    }
    expect(await prepareParams(manager, params)).toMatchObject({ params: { system: 'be brief' } });
  });

  it('has at most 4 marks for the cache, of which the newest is found again by the next one', async () => {
    const { manager } = await open(200_000);
    const script: Script = (_request, count) => (count <= 6 ? callOf(count) : done);
    const { client, requests } = scriptedClient(script);
    const params = {
      ...fixed,
      system: 'rules '.repeat(3000),
      tools: wrapTools(manager, tools),
      messages: [user('go'.repeat(3000))],
    };
    for await (const message of drive(manager, params, (fitting) =>
      client.beta.messages.toolRunner(fitting),
    )) {
      expect(message.content).toBeDefined();
    }
    const marked = requests.map(({ messages }) =>
      messages.flatMap(({ content }, index) =>
        JSON.stringify(content).includes('cache_control') ? [index] : [],
      ),
    );
    for (const [index, places] of marked.entries()) {
      expect(problemsOf(requests[index] ?? { messages: [] })).toEqual([]);
      const newest = marked[index - 1]?.at(-1);
      if (newest !== undefined) expect(places).toContain(newest);
    }
    expect(JSON.stringify(requests[0]?.system)).toContain('cache_control');
  });

  it('has no more marks than the provider takes where the host sets its own, and keeps its hour', async () => {
    const { manager } = await open(200_000);
    const cache_control = { type: 'ephemeral', ttl: '1h' } as const;
    const text = (index: number) => `${String(index)} ${'word '.repeat(900)}`;
    const messages = Array.from({ length: 9 }, (_, index): Param => {
      const content = [{ type: 'text' as const, text: text(index), cache_control }];
      return { role: index % 2 === 0 ? 'user' : 'assistant', content };
    });
    const { params } = await prepareParams(manager, { ...fixed, messages });
    const marks = JSON.stringify(params).split('cache_control').length - 1;
    expect(marks).toBeGreaterThan(0);
    expect(marks).toBeLessThanOrEqual(4);
    expect(JSON.stringify(params)).toContain('"ttl":"1h"');
  });

  it('goes out again with less where the provider refuses it as too long; other errors are the caller’s', async () => {
    const { manager } = await open(40_000);
    const { client, requests } = scriptedClient((_request, count) =>
      count === 1 ? refusalOf('prompt is too long: 20000 tokens > 10000 maximum') : done,
    );
    const params = { ...fixed, messages: [...long(40), user('and now?')] };
    const send = (fitting: typeof params) => client.beta.messages.create(fitting);
    const { message, receipt } = await createMessage(manager, params, send);
    expect(message.content).toMatchObject(done.content);
    expect(receipt.refusals).toBe(1);
    const [first = 0, second = 0] = requests.map(tokensOfRequest);
    expect(second).toBeLessThan(first * 0.7);
    const wrong = scriptedClient(() => refusalOf('no such model', 404));
    const failing = createMessage(manager, params, (each) =>
      wrong.client.beta.messages.create(each),
    );
    await expect(failing).rejects.toThrow('no such model');
    expect(wrong.requests).toHaveLength(1);
  });
});

describe('the provider’s own editing', () => {
  const context_management = {
    edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 3 } }],
  };

  it('is left as it is, knows the least that pays, and says what it did', async () => {
    const { store, manager } = await open(200_000);
    const applied = {
      type: 'clear_tool_uses_20250919',
      cleared_input_tokens: 5000,
      cleared_tool_uses: 2,
    };
    const { client, requests } = scriptedClient(() => ({
      ...done,
      context_management: { applied_edits: [applied] },
    }));
    const messages = [...long(20), user('and now?')];
    const params = frozen({ ...fixed, messages, context_management }) as unknown as BetaParams;
    const send = (fitting: BetaParams) => client.beta.messages.create(fitting);
    const { receipt } = await createMessage(manager, params, send);
    expect(receipt.appliedEdits).toEqual([applied]);
    expect(receipt.flush).toBeUndefined();
    const [edit] = requests[0]?.context_management?.edits ?? [];
    expect(edit).toMatchObject(context_management.edits[0] ?? {});
    expect(edit?.['clear_at_least']).toMatchObject({ type: 'input_tokens' });
    await manager.end();
    // What was cleared had been sent: it is learned from as if it had been counted.
    const counted = (await store.sessions.get('s'))?.document.token_usage.total_input;
    expect(counted).toBe(tokensOfRequest(requests[0]) + 5000);
  });

  it('keeps the block of its compaction exactly, and what that hid is left alone', async () => {
    const { manager } = await open(16_000);
    const block = {
      type: 'compaction',
      content: 'what was before',
      encrypted_content: 'opaque==',
      signature: 'sig',
      tool_changes: null,
    };
    const hidden = [user('old'), assistant('older '.repeat(20_000))];
    const reply = { role: 'assistant', content: [block, ...callOf(1).content] };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'x' };
    const later = long(40);
    const messages = frozen([
      ...hidden,
      reply,
      { role: 'user', content: [result] },
      ...later,
      user('and now?'),
    ]) as unknown as Param[];
    const { params, receipt } = await prepareParams(manager, { ...fixed, messages });
    expect(params.messages.slice(0, 2)).toEqual(hidden);
    const third = params.messages[2]?.content;
    expect(Array.isArray(third) ? third[0] : undefined).toEqual(block);
    // What is hidden does not count; what is seen fits.
    expect(receipt.tokens).toBeLessThan(16_000);
    const seen = { messages: params.messages.slice(2) };
    expect(tokensOfRequest(seen)).toBeLessThan(16_000);
    expect(problemsOf(seen as Parameters<typeof problemsOf>[0])).toEqual([]);
    const again = await prepareParams(manager, { ...fixed, messages });
    expect(again.params.messages).toEqual(params.messages);
  });
});

describe('a stream', () => {
  it('comes through event by event, and its usage is learned from', async () => {
    const { store, manager } = await open();
    const { client, requests } = scriptedClient(() => done);
    const params = { ...fixed, messages: [user('hello')] };
    const events = streamMessage(manager, params, (fitting) =>
      client.beta.messages.stream(fitting),
    );
    const types: string[] = [];
    for await (const event of events) types.push(event.type);
    expect(types[0]).toBe('message_start');
    expect(types.at(-1)).toBe('message_stop');
    await manager.end();
    const counted = (await store.sessions.get('s'))?.document.token_usage;
    expect(counted?.total_input).toBe(tokensOfRequest(requests[0]));
  });

  it('that is broken off leaves nothing recorded', async () => {
    const { store, manager } = await open();
    const { client } = scriptedClient(() => done);
    const params = { ...fixed, messages: [user('hello')] };
    const events = streamMessage(manager, params, (fitting) =>
      client.beta.messages.stream(fitting),
    );
    for await (const event of events) {
      if (event.type === 'content_block_start') break;
    }
    await manager.end();
    const counted = (await store.sessions.get('s'))?.document.token_usage;
    expect(counted?.total_input ?? 0).toBe(0);
  });

  it('that is refused as too long before it begins goes out again with less', async () => {
    const { manager } = await open(40_000);
    const { client, requests } = scriptedClient((_request, count) =>
      count === 1 ? refusalOf('prompt is too long: 20000 tokens > 10000 maximum') : done,
    );
    const params = { ...fixed, messages: [...long(40), user('and now?')] };
    const events = streamMessage(manager, params, (fitting) =>
      client.beta.messages.create({ ...fitting, stream: true }),
    );
    for await (const event of events) expect(event.type).toBeDefined();
    expect(requests).toHaveLength(2);
  });
});

describe('the tool runner', () => {
  const start = async (script: Script, windowTokens?: number) => {
    const { store, manager } = await open(windowTokens);
    const { client, requests } = scriptedClient(script);
    const params = { ...fixed, tools: wrapTools(manager, tools), messages: [user('go')] };
    return { store, manager, client, requests, params };
  };

  it('sends the same request for ever with setMessagesParams alone: that is the defect', async () => {
    const { manager, client, requests, params } = await start(() => callOf(1));
    const bounded = { ...params, max_iterations: 4, thread: false } as const;
    const runner = client.beta.messages.toolRunner(bounded);
    for await (const _message of runner) {
      const prepared = await prepareParams(manager, runner.params);
      runner.setMessagesParams(prepared.params);
    }
    expect(new Set(requests.map(({ messages }) => messages.length))).toEqual(new Set([1]));
  });

  it('is driven so that each request extends the last', async () => {
    const script: Script = (_request, count) => (count <= 5 ? callOf(count) : done);
    const { manager, client, requests, params } = await start(script);
    for await (const message of drive(manager, params, (fitting) =>
      client.beta.messages.toolRunner(fitting),
    )) {
      expect(message.role).toBe('assistant');
    }
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 7, 9, 11]);
    for (const request of requests) expect(problemsOf(request)).toEqual([]);
  });

  it('takes in what the host adds while it looks at an answer', async () => {
    const script: Script = (_request, count) => (count === 1 ? callOf(1) : done);
    const { manager, client, requests, params } = await start(script);
    let runner: ReturnType<typeof client.beta.messages.toolRunner> | undefined;
    const items = drive(manager, params, (fitting) => {
      const started = client.beta.messages.toolRunner(fitting);
      runner = started;
      return started;
    });
    let count = 0;
    for await (const _message of items) {
      count += 1;
      if (count < 3) runner?.pushMessages(user(`and ${String(count)}`));
    }
    expect(count).toBe(3);
    expect(problemsOf(requests[1] ?? { messages: [] })).toEqual([]);
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('and 1');
    expect(JSON.stringify(requests[2]?.messages.at(-1))).toContain('and 2');
  });

  it('goes on with less where a request is refused as too long', async () => {
    const script: Script = (_request, count) => {
      if (count === 3) return refusalOf('prompt is too long: 20000 tokens > 9000 maximum');
      return count <= 4 ? callOf(count) : done;
    };
    const { manager, client, requests, params } = await start(script, 40_000);
    const messages = [...long(40), user('go')];
    const items = drive(manager, { ...params, messages }, (fitting) =>
      client.beta.messages.toolRunner(fitting),
    );
    let last = '';
    for await (const message of items) last = message.stop_reason ?? '';
    expect(last).toBe('end_turn');
    const sizes = requests.map(tokensOfRequest);
    expect(sizes[3] ?? 0).toBeLessThan((sizes[2] ?? 0) * 0.8);
  });

  it('is refused on a server thread, and started without one', async () => {
    const { manager, client, requests, params } = await start(() => done);
    const threaded = { ...params, thread: { type: 'auto' } as unknown as false };
    const refused = drive(manager, threaded, (fitting) => client.beta.messages.toolRunner(fitting));
    await expect(refused.next()).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    const items = drive(manager, params, (fitting) => client.beta.messages.toolRunner(fitting));
    for await (const message of items) expect(message.role).toBe('assistant');
    expect(requests).toHaveLength(1);
    expect(requests[0]?.thread).toBeUndefined();
  });

  it('ends when it is aborted, with nothing half recorded', async () => {
    const controller = new AbortController();
    const script: Script = (_request, count) => {
      if (count === 2) controller.abort();
      return callOf(count);
    };
    const { store, manager, client, requests, params } = await start(script);
    const { signal } = controller;
    const items = drive(manager, params, (fitting) =>
      client.beta.messages.toolRunner(fitting, { signal }),
    );
    const reading = (async () => {
      for await (const message of items) expect(message.role).toBe('assistant');
    })();
    await expect(reading).rejects.toThrow(/abort/i);
    await manager.end();
    const counted = (await store.sessions.get('s'))?.document.token_usage;
    // Both that were answered, and nothing of the one that was not sent any more.
    expect(requests).toHaveLength(2);
    const answered = requests.reduce((sum, request) => sum + tokensOfRequest(request), 0);
    expect(counted?.total_input).toBe(answered);
  });
});
