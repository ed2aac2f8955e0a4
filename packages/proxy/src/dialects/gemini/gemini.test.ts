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
});
