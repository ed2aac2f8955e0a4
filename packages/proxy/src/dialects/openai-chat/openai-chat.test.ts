import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../../proxy.ts';
import { type Step } from '../../test-support/scripted-agent.ts';
import { start, bodyAfter, sentFor } from '../../test-support/openai-chat-conversation.ts';

const large: Step = {
  tool: 'Bash',
  input: { command: 'make' },
  result: Array.from({ length: 2000 }, (_, line) => `line ${String(line)}`).join('\n'),
};

describe('a conversation of Chat Completions through the proxy', () => {
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
