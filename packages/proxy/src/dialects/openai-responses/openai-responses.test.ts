import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../../proxy.ts';
import { responsesProblemOf } from '../../test-support/judge-openai-responses.ts';
import { type Step } from '../../test-support/scripted-agent.ts';
import {
  headers,
  bodyAfter,
  sentFor,
  changesOf,
  testProxy,
} from '../../test-support/openai-responses-conversation.ts';

describe('a conversation of the Responses API through the proxy', () => {
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
