import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy, type Proxy } from '../../proxy.ts';
import {
  responsesPrefixOf,
  responsesProblemOf,
} from '../../test-support/judge-openai-responses.ts';
import { longWork, type Step } from '../../test-support/scripted-agent.ts';

/** `npm test` tries one way of each kind, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

const path = '/v1/responses';
const headers = { 'thread-id': 'thread-1' };
const seal = (index: number): string => `sealed ${String(index)}`;

interface Shape {
  /** Whether each call comes with the reasoning that led to it. */
  readonly hasReasoning?: boolean;
  readonly isCustom?: boolean;
}

function itemsOfStep({ hasReasoning, isCustom }: Shape) {
  return ({ tool, input, result }: Step, index: number): unknown[] => {
    const id = String(index);
    const reasoning = {
      type: 'reasoning',
      id: `rs_${id}`,
      summary: [],
      encrypted_content: seal(index),
    };
    const call = { id: `fc_${id}`, call_id: `call_${id}`, name: tool, status: 'completed' };
    const text = JSON.stringify(input);
    const output = { id: `fco_${id}`, call_id: `call_${id}`, output: result };
    return [
      ...(hasReasoning === true ? [reasoning] : []),
      isCustom === true
        ? { type: 'custom_tool_call', ...call, input: text }
        : { type: 'function_call', ...call, arguments: text },
      { type: isCustom === true ? 'custom_tool_call_output' : 'function_call_output', ...output },
    ];
  };
}

const start = [
  {
    type: 'message',
    id: 'msg_1',
    role: 'developer',
    content: [
      { type: 'input_text', text: 'You are an agent.' },
      { type: 'input_text', text: 'Be brief.' },
    ],
  },
  {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Do the chores.' }],
    meta: 1,
  },
];

function bodyAfter(steps: readonly Step[], shape: Shape = {}): string {
  const input = [...start, ...steps.flatMap(itemsOfStep(shape))];
  const tools = [{ type: 'function', name: 'Bash' }];
  return JSON.stringify({ model: 'gpt-5', input, tools, stream: true, store: false });
}

async function sentFor(proxy: Proxy, body: string, more: object = headers): Promise<string> {
  const exchange = await proxy.exchange({ path, headers: { ...more }, body: Buffer.from(body) });
  return exchange.body ?? body;
}

function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => responsesPrefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => {
    const before = prefixes[index - 1] ?? [];
    return before.some((item, place) => item !== prefix[place]);
  }).length;
}

async function testProxy(clock = { now: 1e12 }): Promise<Proxy> {
  const failures: unknown[] = [];
  const store = await openStore(memoryBackend(), { clock: () => clock.now });
  const onFailure = (line: string, error: unknown): void => void failures.push(line, error);
  return createProxy({ store, onFailure });
}

describe('a conversation of the Responses API through the proxy', () => {
  const ways = [
    { name: 'calls with reasoning', shape: { hasReasoning: true } },
    { name: 'custom calls', shape: { isCustom: true } },
    { name: 'plain calls', shape: {} },
  ];
  it.each(isCampaign ? ways : ways.slice(0, 1))(
    'begins each request with the one before, but for flushes; every request is valid and fits: $name',
    async ({ shape }) => {
      const clock = { now: 1e12 };
      const proxy = await testProxy(clock);
      const steps = longWork(110);
      const bodies: string[] = [];
      for (let done = 0; done <= steps.length; done += 1) {
        clock.now += 20_000;
        const body = await sentFor(proxy, bodyAfter(steps.slice(0, done), shape));
        const problem = responsesProblemOf(JSON.parse(body), (text) => text.startsWith('sealed '));
        expect(problem).toBeUndefined();
        bodies.push(body);
      }
      const { flushes, failedOpen, requests } = proxy.totals();
      expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 111 });
      expect(flushes).toBeGreaterThan(0);
      expect(changesOf(bodies)).toBe(flushes);
      expect(bodies.at(-1)?.length).toBeLessThan(bodyAfter(steps, shape).length / 2);
      expect(bodies.at(-1)).toContain(JSON.stringify(start).slice(1, -1));
    },
  );

  it('puts a preview with the command that reads the rest into the output, and keeps everything else of the item', async () => {
    const proxy = await testProxy();
    const result = Array.from({ length: 2000 }, (_, line) => `line ${String(line)}`).join('\n');
    const body = await sentFor(
      proxy,
      bodyAfter([{ tool: 'Bash', input: { command: 'make' }, result }]),
    );
    expect(body.length).toBeLessThan(8000);
    expect(body).toContain('ctx read ctx://outputs/');
    expect(body).toContain('"id":"fco_0","call_id":"call_0","output":"');
  });

  it('keeps a list of parts a list', async () => {
    const proxy = await testProxy();
    const text = Array.from({ length: 2000 }, (_, line) => `line ${String(line)}`).join('\n');
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const result = [{ type: 'input_text', text }, image];
    const steps: Step[] = [{ tool: 'Bash', input: { command: 'make' }, result }];
    const body: unknown = JSON.parse(await sentFor(proxy, bodyAfter(steps)));
    expect(responsesProblemOf(body, () => true)).toBeUndefined();
    expect(JSON.stringify(body)).toContain(JSON.stringify(image));
  });

  it('passes on what stands beside it, and what continues a history that the provider has', async () => {
    const proxy = await testProxy();
    const whole = JSON.parse(bodyAfter([])) as object;
    const asides = [
      { ...whole, tools: [] },
      { ...whole, previous_response_id: 'resp_1' },
      { ...whole, input: 'Hello' },
      { ...whole, text: { format: { type: 'json_schema' } } },
      { ...whole, input: [{ type: 'item_reference', id: 'msg_1' }] },
    ];
    for (const aside of asides) await sentFor(proxy, JSON.stringify(aside));
    expect(proxy.totals()).toMatchObject({ requests: 0, passed: asides.length });
  });

  it('has its tools put back when Codex leaves them out to have it summed up: the summary reads from the cache', async () => {
    const proxy = await testProxy();
    const large: Step = {
      tool: 'Bash',
      input: { command: 'make' },
      result: 'a line\n'.repeat(9000),
    };
    const before = await sentFor(proxy, bodyAfter([large]));
    const asked = { type: 'message', role: 'user', content: 'Create a handoff summary.' };
    const plain = JSON.parse(bodyAfter([large])) as { input: unknown[] };
    const bare = { ...plain, input: [...plain.input, asked], tools: [], tool_choice: 'auto' };
    const kind = (request_kind: string) => ({
      'x-codex-turn-metadata': JSON.stringify({ request_kind }),
    });
    const sent = await sentFor(proxy, JSON.stringify(bare), { ...headers, ...kind('compaction') });
    const { tools } = JSON.parse(before) as { tools: unknown };
    expect(JSON.parse(sent)).toMatchObject({ tools, tool_choice: 'none' });
    expect(changesOf([before, sent])).toBe(0);
    expect(sent.length).toBeLessThan(before.length + 200);
    // A new process has not seen the tools, and other requests without any stand beside the conversation.
    const other = await testProxy();
    expect(
      JSON.parse(await sentFor(other, JSON.stringify(bare), { ...headers, ...kind('compaction') })),
    ).toMatchObject({ tools: [] });
    const title = JSON.stringify(bare);
    expect(await sentFor(proxy, title, { ...headers, ...kind('turn') })).toBe(title);
  });

  it('has a session for each thread and each of its windows, and tells tasks of programs apart', async () => {
    const store = await openStore(memoryBackend());
    const proxy = createProxy({ store });
    const body = bodyAfter([]);
    await sentFor(proxy, body);
    await sentFor(proxy, body, { ...headers, 'x-codex-window-id': 'thread-1:0' });
    await sentFor(proxy, body, { ...headers, 'x-codex-window-id': 'thread-1:1' });
    await sentFor(proxy, body, {});
    await sentFor(proxy, body.replace('Do the chores.', 'Do other chores.'), {});
    const sessions = await Promise.all(proxy.sessions().map((id) => store.sessions.get(id)));
    expect(sessions.map((one) => [one?.source, one?.document.system_state])).toEqual([
      ['proxy:codex', { proxy_conversation: 'thread-1' }],
      ['proxy:codex', { proxy_conversation: 'thread-1-1' }],
      ['proxy:program', {}],
      ['proxy:program', {}],
    ]);
  });
});
