import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../../proxy.ts';
import { start, bodyAfter, sentFor } from '../../test-support/gemini-conversation.ts';

describe('a conversation of the Gemini API through the proxy', () => {
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

  it('lets a result go out once where the client of a resumed session writes it twice', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, line) => `line ${String(line)}`).join('\n');
    const steps = [60, 2000].map((count, step) => ({
      ...({
        tool: 'Bash',
        input: { command: `make ${String(step)}` },
        result: lines(count),
      } as const),
    }));
    const plain = bodyAfter(steps);
    const doubled = plain.replaceAll(/(\{"functionResponse":.+?\}\}\})/g, '$1,$1');
    expect(doubled.split('"functionResponse"')).toHaveLength(5);
    const after = (body: string) =>
      body.replace('],"systemInstruction"', `,${JSON.stringify(start[0])}],"systemInstruction"`);
    const single = createProxy({ store: await openStore(memoryBackend()) });
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    for (const form of [(body: string) => body, after]) {
      const sent = await sentFor(proxy, form(doubled));
      expect(sent.replace(/outputs\/[\w-]+/g, '')).toBe(
        (await sentFor(single, form(plain))).replace(/outputs\/[\w-]+/g, ''),
      );
    }
  });

  it('leaves results that differ, and texts that are alike', async () => {
    const proxy = createProxy({ store: await openStore(memoryBackend()) });
    const plain = bodyAfter([{ tool: 'Bash', input: {}, result: 'ok' }]);
    const beside = plain.replace('"output":"ok"}}}', '$&,{"text":"Go on."},{"text":"Go on."}');
    expect(await sentFor(proxy, beside)).toBe(beside);
  });
});
