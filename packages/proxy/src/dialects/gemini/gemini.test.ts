import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy, type Proxy } from '../../proxy.ts';
import { geminiPrefixOf, geminiProblemOf } from '../../test-support/judge-gemini.ts';
import { longWork, type Step } from '../../test-support/scripted-agent.ts';

/** `npm test` tries one way of each kind, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

const path = '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse';
const headers = { 'user-agent': 'GeminiCLI-tui/0.61.0' };

function contentsOfStep(signature: object) {
  return ({ tool, input, result }: Step, index: number): unknown[] => {
    const id = `call_${String(index)}`;
    const response = { output: result };
    return [
      { parts: [{ functionCall: { id, name: tool, args: input }, ...signature }], role: 'model' },
      { parts: [{ functionResponse: { id, name: tool, response } }], role: 'user' },
    ];
  };
}

const start = [{ parts: [{ text: 'You are here.' }, { text: 'Do the chores.' }], role: 'user' }];

function bodyAfter(steps: readonly Step[], signature: object = {}): string {
  const contents = [...start, ...steps.flatMap(contentsOfStep(signature))];
  const tools = [{ functionDeclarations: [{ name: 'Bash' }] }];
  const systemInstruction = { parts: [{ text: 'You are an agent.' }] };
  return JSON.stringify({ contents, systemInstruction, tools, generationConfig: { topK: 64 } });
}

async function sentFor(proxy: Proxy, body: string): Promise<string> {
  const exchange = await proxy.exchange({ path, headers, body: Buffer.from(body) });
  return exchange.body ?? body;
}

function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => geminiPrefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => {
    const before = prefixes[index - 1] ?? [];
    return before.some((item, place) => item !== prefix[place]);
  }).length;
}

describe('a conversation of the Gemini API through the proxy', () => {
  const ways = [
    { name: 'signed', signature: { thoughtSignature: 'c2ln' } },
    { name: 'plain', signature: {} },
  ];
  it.each(isCampaign ? ways : ways.slice(0, 1))(
    'begins each request with the one before, but for flushes; every request is valid: $name',
    async ({ signature }) => {
      const clock = { now: 1e12 };
      const store = await openStore(memoryBackend(), { clock: () => clock.now });
      const proxy = createProxy({ store });
      const steps = longWork(110);
      const bodies: string[] = [];
      for (let done = 0; done <= steps.length; done += 1) {
        clock.now += done === 100 ? 7_200_000 : 20_000;
        const body = await sentFor(proxy, bodyAfter(steps.slice(0, done), signature));
        expect(geminiProblemOf(JSON.parse(body))).toBeUndefined();
        bodies.push(body);
      }
      const { flushes, failedOpen, requests } = proxy.totals();
      expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 111 });
      expect(flushes).toBeGreaterThan(0);
      expect(changesOf(bodies)).toBe(flushes);
      expect(bodies.at(-1)?.length).toBeLessThan(bodyAfter(steps, signature).length * 0.8);
      expect(bodies.at(-1)).toContain(JSON.stringify(start).slice(1, -1));
      const signed = bodies.at(-1)?.split('"thoughtSignature":"c2ln"').length;
      expect(signed).toBe('thoughtSignature' in signature ? steps.length + 1 : 1);
    },
  );

  it('puts a preview with the command that reads the rest into the output, and touches nothing else', async () => {
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    const result = Array.from({ length: 2000 }, (_, line) => `line ${String(line)}`).join('\n');
    const given = bodyAfter([{ tool: 'Bash', input: { command: 'make' }, result }]);
    const body = await sentFor(proxy, given);
    expect(body).toContain('ctx read ctx://outputs/');
    const place = given.indexOf('line 0');
    expect(body.slice(0, place)).toBe(given.slice(0, place));
    expect(body.endsWith(given.slice(given.indexOf('"}}}],"role":"user"}],"system')))).toBe(true);
  });

  it('passes on routers, structured answers, and calls that have no id', async () => {
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    const whole = JSON.parse(bodyAfter([])) as object;
    const call = { functionCall: { name: 'Bash', args: {} } };
    const asides = [
      { ...whole, tools: [] },
      { ...whole, tools: [{ googleSearch: {} }] },
      { ...whole, generationConfig: { responseMimeType: 'application/json' } },
      { ...whole, contents: [...start, { role: 'model', parts: [call] }] },
    ];
    for (const aside of asides) {
      const body = JSON.stringify(aside);
      expect(await sentFor(proxy, body)).toBe(body);
    }
    expect(proxy.totals()).toMatchObject({ requests: 0, passed: asides.length });
  });
});
