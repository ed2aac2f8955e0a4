import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy, type Proxy } from '../../proxy.ts';
import { chatPrefixOf, chatProblemOf } from '../../test-support/judge-openai-chat.ts';
import { longWork, type Step } from '../../test-support/scripted-agent.ts';

/** `npm test` tries one way of each kind, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

const path = '/v1/chat/completions';
const headers = { 'x-session-id': 'session-1' };

function recordsOfStep(reasoning: object) {
  return ({ tool, input, result }: Step, index: number): unknown[] => {
    const id = `call_${String(index)}`;
    const call = {
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
    };
    return [
      { role: 'assistant', content: '', ...reasoning, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: result },
    ];
  };
}

const start = [
  { role: 'system', content: 'You are an agent.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Do the chores.' },
      { type: 'text', text: 'All of them.' },
    ],
  },
];

function bodyAfter(steps: readonly Step[], reasoning: object = {}): string {
  const messages = [...start, ...steps.flatMap(recordsOfStep(reasoning))];
  const tools = [{ type: 'function', function: { name: 'Bash' } }];
  return JSON.stringify({ model: 'gpt-5', messages, tools, stream: true });
}

async function sentFor(proxy: Proxy, body: string): Promise<string> {
  const exchange = await proxy.exchange({ path, headers, body: Buffer.from(body) });
  return exchange.body ?? body;
}

function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => chatPrefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => {
    const before = prefixes[index - 1] ?? [];
    return before.some((item, place) => item !== prefix[place]);
  }).length;
}

const large: Step = {
  tool: 'Bash',
  input: { command: 'make' },
  result: Array.from({ length: 2000 }, (_, line) => `line ${String(line)}`).join('\n'),
};

describe('a conversation of Chat Completions through the proxy', () => {
  const ways = [
    { name: 'with reasoning', reasoning: { reasoning_content: 'Let me look.' } },
    { name: 'plain', reasoning: {} },
  ];
  it.each(isCampaign ? ways : ways.slice(0, 1))(
    'begins each request with the one before, but for flushes; every request is valid and fits: $name',
    async ({ reasoning }) => {
      const clock = { now: 1e12 };
      const store = await openStore(memoryBackend(), { clock: () => clock.now });
      const proxy = createProxy({ store });
      const steps = longWork(110);
      const bodies: string[] = [];
      for (let done = 0; done <= steps.length; done += 1) {
        clock.now += 20_000;
        const body = await sentFor(proxy, bodyAfter(steps.slice(0, done), reasoning));
        expect(chatProblemOf(JSON.parse(body))).toBeUndefined();
        bodies.push(body);
      }
      const { flushes, failedOpen, requests } = proxy.totals();
      expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 111 });
      expect(flushes).toBeGreaterThan(0);
      expect(changesOf(bodies)).toBe(flushes);
      expect(bodies.at(-1)?.length).toBeLessThan(bodyAfter(steps, reasoning).length / 2);
      expect(bodies.at(-1)).toContain(JSON.stringify(start).slice(1, -1));
      const thoughts = bodies.at(-1)?.split('Let me look.').length;
      expect(thoughts).toBe(Object.keys(reasoning).length === 0 ? 1 : steps.length + 1);
    },
  );

  it('puts a preview with the command that reads the rest into the result, and touches nothing else', async () => {
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    const given = bodyAfter([large]);
    const body = await sentFor(proxy, given);
    expect(body).toContain('ctx read ctx://outputs/');
    const place = given.indexOf('"content":"line 0');
    expect(body.slice(0, place)).toBe(given.slice(0, place));
    expect(body.endsWith(given.slice(given.indexOf('],"tools"')))).toBe(true);
  });

  it('passes on titles, structured answers and calls in the way of before tools', async () => {
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    const whole = JSON.parse(bodyAfter([])) as object;
    const old = { role: 'assistant', content: null, function_call: { name: 'a', arguments: '' } };
    const asides = [
      { ...whole, tools: [] },
      { ...whole, response_format: { type: 'json_schema' } },
      { ...whole, max_completion_tokens: 1 },
      { ...whole, messages: [...start, old, { role: 'function', name: 'a', content: 'b' }] },
    ];
    for (const aside of asides) {
      const body = JSON.stringify(aside);
      expect(await sentFor(proxy, body)).toBe(body);
    }
    expect(proxy.totals()).toMatchObject({ requests: 0, passed: asides.length });
  });
});
