import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import type { ProxyOptions } from '../exchange/types.ts';
import { createProxy, type Proxy } from '../proxy.ts';
import { prefixOf, problemOf } from '../test-support/judge-anthropic.ts';
import { geminiPrefixOf, geminiProblemOf } from '../test-support/judge-gemini.ts';
import { chatPrefixOf, chatProblemOf } from '../test-support/judge-openai-chat.ts';
import { responsesPrefixOf, responsesProblemOf } from '../test-support/judge-openai-responses.ts';
import { type Api, apis, type TestCall } from '../test-support/tool-dialogues.ts';

const log = Array.from({ length: 3000 }, (_, line) => `line ${String(line + 1)} of the log`).join(
  '\n',
);

const judges = {
  anthropic: { prefixOf, problemOf: (body: unknown) => problemOf(body, new Set()) },
  'openai-chat': { prefixOf: chatPrefixOf, problemOf: chatProblemOf },
  'openai-responses': {
    prefixOf: responsesPrefixOf,
    problemOf: (body: unknown) => responsesProblemOf(body, () => true),
  },
  gemini: { prefixOf: geminiPrefixOf, problemOf: geminiProblemOf },
};

const store = () => openStore(memoryBackend());

async function sent(proxy: Proxy, api: Api, calls: readonly TestCall[]): Promise<string> {
  const given = api.body(calls);
  const { path, headers } = api;
  const exchange = await proxy.exchange({ path, headers, body: Buffer.from(given) });
  return exchange.body ?? given;
}

const build: TestCall = { name: 'Bash', args: { command: 'make' }, result: log };

const readBack = (args: object): TestCall => ({
  name: 'ctx_read',
  args,
  result: 'No such tool available: ctx_read',
  isError: true,
});

function addressIn(body: string): string {
  return /ctx:\/\/outputs\/[\w-]+/.exec(body)?.[0] ?? '';
}

describe.each(apis)('a model of $name with the tool of the proxy', (api) => {
  const judge = judges[api.name];

  it('finds what it asked for in the place of the error, in every request from then on, and after a restart', async () => {
    const kept = await store();
    const proxy = createProxy({ store: kept, tool: true });
    const bodies = [await sent(proxy, api, []), await sent(proxy, api, [build])];
    const address = addressIn(bodies[1] ?? '');
    const calls = [
      build,
      readBack({ address, lines: '700-702' }),
      { name: 'Bash', args: { command: 'true' }, result: 'done' },
      readBack({ address: 'ctx://outputs/none' }),
      readBack({ address, grep: 'line 2999 ' }),
    ];
    for (let count = 2; count <= calls.length; count += 1) {
      bodies.push(await sent(proxy, api, calls.slice(0, count)));
    }
    await proxy.close();
    const after = createProxy({ store: kept });
    bodies.push(await sent(after, api, calls));
    const values = bodies.map((body): unknown => JSON.parse(body));
    expect(values.map((body) => judge.problemOf(body))).toEqual(values.map(() => undefined));
    const prefixes = values.map((body) => judge.prefixOf(body));
    for (const [index, prefix] of prefixes.entries()) {
      const before = prefixes[index - 1] ?? [];
      expect(prefix.slice(0, before.length)).toEqual(before);
    }
    const last = bodies.at(-1) ?? '';
    expect(bodies.at(-2)).toBe(last);
    expect(last).toContain('line 700 of the log\\nline 701 of the log\\nline 702 of the log');
    expect(last).toContain('2999:line 2999 of the log');
    expect(last).toContain('There is no output ctx://outputs/none');
    expect(last).not.toContain('No such tool');
    expect(last).not.toContain('is_error');
    expect(last).not.toContain('ctx read ');
    for (const body of values) expect(api.toolNames(body).at(-1)).toBe('ctx_read');
  });

  it.each([{}, { id: 'call_1' }])(
    'goes on with what was sent while the conversation was only watched, its own errors too, and is answered again: ids %o',
    async (used) => {
      const kept = await store();
      const given = [
        build,
        { ...readBack({ address: 'ctx://outputs/none' }), ...used },
        { name: 'Bash', args: { command: 'true' }, result: 'done', ...used },
        { ...readBack({ address: 'ctx://outputs/other' }), ...used },
      ];
      const bodies: string[] = [];
      const through = async (options: Partial<ProxyOptions>, counts: readonly number[]) => {
        const proxy = createProxy({ store: kept, ...options });
        for (const count of counts) bodies.push(await sent(proxy, api, given.slice(0, count)));
        await proxy.close();
      };
      await through({ tool: true }, [0, 1, 2]);
      await through({ watch: true }, [2, 3]);
      await through({ tool: true }, [3, 4]);
      const [, , , two, three, again, last = ''] = bodies;
      expect([two, three]).toEqual([2, 3].map((count) => api.body(given.slice(0, count))));
      const values = bodies.map((body): unknown => JSON.parse(body));
      expect(values.map((body) => judge.problemOf(body))).toEqual(values.map(() => undefined));
      const prefixes = values.slice(4).map((body) => judge.prefixOf(body));
      for (const [index, prefix] of prefixes.entries()) {
        const before = prefixes[index - 1] ?? [];
        expect(prefix.slice(0, before.length)).toEqual(before);
      }
      expect(again).toContain('No such tool');
      expect(last).toContain('There is no output ctx://outputs/other');
      expect(values.slice(5).map((body) => api.toolNames(body).at(-1))).toEqual([
        'ctx_read',
        'ctx_read',
      ]);
    },
  );

  it('finds it too where the client uses the id of a call again, and what its own tools did stays', async () => {
    const kept = await store();
    const proxy = createProxy({ store: kept, tool: true });
    const bodies = [await sent(proxy, api, []), await sent(proxy, api, [build])];
    const address = addressIn(bodies[1] ?? '');
    const calls: TestCall[] = [
      { ...build, id: 'call_1' },
      { ...readBack({ address, lines: '700' }), id: 'call_1' },
      { name: 'Bash', args: { command: 'pwd' }, result: '/project', id: 'call_1' },
      { ...readBack({ address, lines: '800' }), id: 'call_1' },
      { name: 'Bash', args: { command: 'ls' }, result: 'a file', id: 'call_1' },
    ];
    for (let count = 2; count <= calls.length; count += 1) {
      bodies.push(await sent(proxy, api, calls.slice(0, count)));
    }
    await proxy.close();
    const last = bodies.at(-1) ?? '';
    expect(await sent(createProxy({ store: kept }), api, calls)).toBe(last);
    const told = ['line 700 of', 'pwd', '/project', 'line 800 of', '"ls', 'a file'];
    const escaped = last.replaceAll('\\"', '"');
    expect(told.map((text) => escaped.split(text).length - 1)).toEqual(told.map(() => 1));
    const places = told.map((text) => escaped.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(last).not.toContain('No such tool');
  });

  it('that began without it goes on without it', async () => {
    const kept = await store();
    const before = createProxy({ store: kept });
    await sent(before, api, [build]);
    const after = createProxy({ store: kept, tool: true });
    const body: unknown = JSON.parse(await sent(after, api, [build]));
    expect(api.toolNames(body)).not.toContain('ctx_read');
  });
});

describe('a client that rewrites calls of tools that it does not know, as opencode does', () => {
  const args = { address: 'ctx://outputs/none' };
  const text = JSON.stringify(args);
  const [head, rest] = [text.slice(0, 9), text.slice(9)];
  const name = 'ctx_read';
  const call = { type: 'function_call', call_id: 'call_0', name, arguments: text };
  const pieceOf = (piece: object) => ({ choices: [{ delta: { tool_calls: [piece] } }] });
  const streams: Readonly<Record<string, readonly object[]>> = {
    anthropic: [
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'call_0', name },
      },
      { type: 'content_block_delta', index: 1, delta: { partial_json: head } },
      { type: 'content_block_delta', index: 1, delta: { partial_json: rest } },
    ],
    'openai-chat': [
      pieceOf({ index: 0, id: 'call_0', function: { name, arguments: head } }),
      pieceOf({ index: 0, function: { arguments: rest } }),
    ],
    'openai-responses': [{ type: 'response.output_item.done', item: call }],
  };
  const spoken = apis.filter(({ name: api }) => api !== 'gemini');

  it.each(spoken)('gets the model’s own call back: $name', async (given) => {
    const api = { ...given, headers: { 'x-session-id': 'one' } };
    const proxy = createProxy({ store: await store(), tool: true });
    const { path, headers } = api;
    const first = await proxy.exchange({ path, headers, body: Buffer.from(api.body([])) });
    const reader = first.answer('text/event-stream');
    for (const event of streams[api.name] ?? []) {
      reader.write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    }
    await reader.end();
    const error = { tool: name, error: 'Model tried to call unavailable tool' };
    const body = await sent(proxy, api, [
      { name: 'invalid', args: error, result: 'The arguments are invalid', isError: true },
    ]);
    expect(body).not.toContain('invalid');
    expect(body).toContain('There is no output ctx://outputs/none');
    const own = await sent(createProxy({ store: await store(), tool: true }), api, [
      { name, args, result: 'x', isError: true },
    ]);
    expect(JSON.parse(body)).toEqual(JSON.parse(own));
  });

  it.each(spoken)('gets it back where its id was used before: $name', async (given) => {
    const api = { ...given, headers: { 'x-session-id': 'one' } };
    const proxy = createProxy({ store: await store(), tool: true });
    const { path, headers } = api;
    const before: TestCall = { name: 'Bash', args: { command: 'pwd' }, result: '/', id: 'call_0' };
    await sent(proxy, api, []);
    const body = Buffer.from(api.body([before]));
    const reader = (await proxy.exchange({ path, headers, body })).answer('text/event-stream');
    for (const event of streams[api.name] ?? []) {
      reader.write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    }
    await reader.end();
    const error = { tool: name, error: 'Model tried to call unavailable tool' };
    const invalid: TestCall = { name: 'invalid', args: error, result: 'x', id: 'call_0' };
    const after: TestCall = { name: 'Bash', args: { command: 'ls' }, result: 'a', id: 'call_0' };
    const last = await sent(proxy, api, [before, invalid, after]);
    const asked: TestCall = { name, args, result: 'x', isError: true, id: 'call_1' };
    const others = [before, asked, { ...after, id: 'call_2' }];
    const own = await sent(createProxy({ store: await store(), tool: true }), api, others);
    expect(own).toContain('There is no output ctx://outputs/none');
    expect(JSON.parse(last)).toEqual(JSON.parse(own.replaceAll(/call_\d/g, 'call_0')));
  });
});
