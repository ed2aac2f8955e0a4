import { resultValueOf, sessionLog } from '@ctx/truncation';
import { describe, expect, it, vi } from 'vitest';
import { createProxy, type Proxy } from './proxy.ts';
import {
  changesOf,
  headers,
  isPrefix,
  send,
  type TestClock,
  testStore,
  tokensIn,
} from './test-support/anthropic-conversation.ts';
import { bodyAfter as geminiBodyAfter, sentFor } from './test-support/gemini-conversation.ts';
import { prefixOf, problemOf } from './test-support/judge-anthropic.ts';
import {
  type AnthropicMessage,
  bodyOf,
  fileText,
  longWork,
  messagesAfter,
  type Step,
} from './test-support/scripted-agent.ts';
import { summaryLine } from './totals/summary-line.ts';

/** Sends the requests of an agent one after the other, 20 seconds apart, and judges each. */
async function runAgent(steps: readonly Step[], proxy: Proxy, clock: TestClock): Promise<string[]> {
  const signed = new Set(
    steps.flatMap(({ thinking }) => thinking ?? []).map((one) => JSON.stringify(one)),
  );
  const bodies: string[] = [];
  for (let done = 0; done <= steps.length; done += 1) {
    clock.now += 20_000;
    const { body } = await send(proxy, bodyOf(messagesAfter(steps.slice(0, done))));
    expect(problemOf(JSON.parse(body), signed)).toBeUndefined();
    bodies.push(body);
  }
  return bodies;
}

describe('a conversation through the proxy', () => {
  it('goes out byte for byte while nothing pays', async () => {
    const proxy = createProxy({ store: await testStore() });
    const body = bodyOf(messagesAfter(longWork(3)));
    expect((await send(proxy, body)).exchange.body).toBeUndefined();
  });

  it('has each message parsed once, however many values it holds', async () => {
    const list = Array.from({ length: 20_000 }, (_, value) => value);
    const steps = [{ tool: 'Bash' as const, input: { list }, result: '199990000' }];
    const body = bodyOf(messagesAfter(steps));
    const parse = vi.spyOn(JSON, 'parse');
    const proxy = createProxy({ store: await testStore() });
    await proxy.exchange({ path: '/v1/messages', headers, body: Buffer.from(body) });
    const whole = parse.mock.calls.filter(([text]) => text.includes('19998,19999'));
    parse.mockRestore();
    expect(whole).toHaveLength(1);
  });

  it('reads JSON that lies in strings of JSON, level in level, no further than its length allows', async () => {
    // The backslashes of each level double in the next, so that levels are few.
    let text = '[]';
    while (text.length < 100_000) text = JSON.stringify([text]);
    const steps = [{ tool: 'Bash' as const, input: { text }, result: text }];
    const body = bodyOf(messagesAfter(steps));
    const parse = vi.spyOn(JSON, 'parse');
    const proxy = createProxy({ store: await testStore() });
    await proxy.exchange({ path: '/v1/messages', headers, body: Buffer.from(body) });
    const characters = parse.mock.calls.reduce((sum, [given]) => sum + given.length, 0);
    parse.mockRestore();
    expect(characters).toBeLessThan(4 * body.length);
    expect(proxy.totals()).toMatchObject({ requests: 1, failedOpen: 0 });
  });

  it('begins each request with the one before, but for flushes, which are counted; every request is valid and fits', async () => {
    const clock = { now: 1e12 };
    const proxy = createProxy({ store: await testStore(clock) });
    const steps = longWork(120);
    const bodies = await runAgent(steps, proxy, clock);
    const { flushes, failedOpen, requests } = proxy.totals();
    expect({ failedOpen, requests }).toEqual({ failedOpen: 0, requests: 121 });
    expect(flushes).toBeGreaterThan(0);
    expect(changesOf(bodies)).toBe(flushes);
    const last = bodies.at(-1) ?? '';
    expect(tokensIn(last)).toBeLessThan(200_000);
    expect(tokensIn(last)).toBeLessThan(tokensIn(bodyOf(messagesAfter(steps))) / 2);
  });

  it('goes on with the same bytes after a restart', async () => {
    const clock = { now: 1e12 };
    const store = await testStore(clock);
    const steps = longWork(80);
    const before = await runAgent(steps, createProxy({ store }), clock);
    clock.now += 20_000;
    const more = longWork(81);
    const { body } = await send(createProxy({ store }), bodyOf(messagesAfter(more)));
    const prefix = prefixOf(JSON.parse(before.at(-1) ?? ''));
    expect(isPrefix(prefix, prefixOf(JSON.parse(body)))).toBe(true);
    expect(body).not.toBe(bodyOf(messagesAfter(more)));
  });

  it.each([
    ['shaped', {}],
    ['watched', { watch: true }],
    ['held out', { holdout: 1 }],
  ])(
    'counts each call that returned once, also over a restart, and those that failed: %s',
    async (_how, options) => {
      const store = await testStore();
      const failed = {
        tool: 'Bash',
        input: { command: 'x' },
        result: 'no',
        isError: true,
      } as const;
      const steps: Step[] = [failed, ...longWork(5)];
      for (const done of [0, 1, 3, 3]) {
        const before = createProxy({ store, ...options });
        await send(before, bodyOf(messagesAfter(steps.slice(0, done))));
        await before.close();
      }
      const proxy = createProxy({ store, ...options });
      await send(proxy, bodyOf(messagesAfter(steps)));
      await proxy.close();
      await store.sessions.flush();
      const session = await store.sessions.get(proxy.sessions()[0] ?? '');
      expect(session?.document.tool_stats).toMatchObject({
        total_calls: 6,
        by_tool: { Bash: 2, Read: 4 },
        failures: 1,
      });
      expect(session).toMatchObject({ title: 'Do the chores.', source: 'proxy:claude-code' });
    },
  );

  it('is held out as a whole if its share of conversations is: unchanged, counted apart, and so after a restart', async () => {
    const store = await testStore();
    const steps = longWork(3);
    const idOf = (one: number): string => `5e55-${String(one)}`;
    const isHeld = async (proxy: Proxy, one: number): Promise<boolean> => {
      const large: Step = { tool: 'Bash', input: { command: 'make' }, result: 'x\n'.repeat(9000) };
      const given = bodyOf(messagesAfter([...steps, large]));
      const { exchange } = await send(proxy, given, { 'x-claude-code-session-id': idOf(one) });
      const reader = exchange.answer('application/json');
      reader.write(Buffer.from('{"usage":{"input_tokens":1000,"output_tokens":10}}'));
      await reader.end();
      return exchange.body === undefined;
    };
    const proxy = createProxy({ store, holdout: 0.3 });
    const held: boolean[] = [];
    for (let one = 0; one < 20; one += 1) held.push(await isHeld(proxy, one));
    const count = held.filter((one) => one).length;
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(12);
    expect(proxy.totals()).toMatchObject({ requests: 20, heldOut: count, failedOpen: 0 });
    expect(summaryLine(proxy.totals())).toMatch(/ held out at \$0\.\d+ each, the others \$0\.\d+/);
    for (const holdout of [0, 1]) {
      const after = createProxy({ store, holdout });
      for (const [one, isOne] of held.entries()) expect(await isHeld(after, one)).toBe(isOne);
    }
  });

  it('gives back every text that left, whole, by the command that stands in its place', async () => {
    const clock = { now: 1e12 };
    const store = await testStore(clock);
    const steps = longWork(100);
    const last = (await runAgent(steps, createProxy({ store }), clock)).at(-1) ?? '';
    const shown = prefixOf(JSON.parse(last)).join('\n');
    const session = (await store.sessions.list({})).entries[0]?.id ?? '';
    const texts = new Set<unknown>();
    for (const [, id = ''] of shown.matchAll(/ctx read ctx:\/\/outputs\/([\w-]+)/g)) {
      texts.add((await store.outputs.load({ id }))?.result);
    }
    const named = [...shown.matchAll(/ctx read (p\d{15})\/([\d,-]+)/g)];
    for (const [, of = '', places = ''] of named) {
      expect(of).toBe(session);
      const found = await sessionLog(store, of).messagesAt(`ctx://messages/${places}`);
      const results = found.flatMap(({ message }) => message.content);
      for (const block of results) {
        if (block.type === 'tool_result') texts.add(resultValueOf(block));
      }
    }
    const left = steps.filter(({ result }) => !shown.includes(JSON.stringify(result).slice(1, -1)));
    expect(left.length).toBeGreaterThan(10);
    for (const { result } of left) expect(texts).toContain(result);
    // Lines that come next to each other are one, which names the session once.
    expect(named.length).toBeLessThan(left.length / 2);
  });

  it('puts a preview with the command that reads the rest in the place of a large result, and keeps the mark on it', async () => {
    const proxy = createProxy({ store: await testStore() });
    const result = Array.from(
      { length: 2000 },
      (_, line) => `line ${String(line)} of the log`,
    ).join('\n');
    const steps: Step[] = [{ tool: 'Bash', input: { command: 'make' }, result }];
    const { body } = await send(proxy, bodyOf(messagesAfter(steps)));
    expect(body.length).toBeLessThan(8000);
    expect(body).toContain('read more in a shell with: ctx read ctx://outputs/');
    expect(JSON.parse(body)).toMatchObject({
      messages: [
        {},
        {},
        { content: [{ tool_use_id: 'toolu_0', cache_control: { type: 'ephemeral' } }] },
      ],
    });
  });

  it('never changes an error, thinking, or a number as the client wrote it', async () => {
    const clock = { now: 1e12 };
    const proxy = createProxy({ store: await testStore(clock) });
    const thinking = { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' };
    const isError = true;
    const steps = longWork(60).map((step): Step => ({ ...step, thinking }));
    const failed: Step = {
      tool: 'Bash',
      input: { command: 'x' },
      result: fileText('boom', 900),
      isError,
    };
    const bodies = await runAgent([failed, ...steps], proxy, clock);
    expect(JSON.stringify(JSON.parse(bodies[1] ?? ''))).toContain(JSON.stringify(failed.result));
    const odd = bodyOf(messagesAfter(longWork(2))).replace(
      '"file_path":',
      '"depth":1.0,"file_path":',
    );
    expect((await send(proxy, odd, { 'x-claude-code-session-id': 'other' })).body).toContain(
      '"depth":1.0',
    );
  });

  it('cuts what did not change out of the bytes of the client, in every request again', async () => {
    const proxy = createProxy({ store: await testStore() });
    const result = fileText('log', 2000);
    const large: Step = { tool: 'Bash', input: { command: 'make' }, result };
    for (const count of [0, 1, 2, 3]) {
      const steps = [large, ...longWork(count)];
      const given = bodyOf(messagesAfter(steps, 'A task.')).replace('"A task."', '"A\\u0020task."');
      const { body } = await send(proxy, given);
      expect(body.length).toBeLessThan(given.length);
      expect(body).toContain('"A\\u0020task."');
    }
  });

  it('sends a secret on as it came, and keeps none', async () => {
    const store = await testStore();
    const secret = `sk-ant-api03-${'a1B2'.repeat(24)}`;
    const steps: Step[] = [
      { tool: 'Bash', input: { command: 'env' }, result: `KEY=${secret}\n${'x'.repeat(9)}` },
    ];
    const { body } = await send(createProxy({ store }), bodyOf(messagesAfter(steps)));
    expect(body).toContain(secret);
    const log: unknown[] = [];
    const session = (await store.sessions.list({})).entries[0]?.id ?? '';
    for await (const event of store.events.read(session)) log.push(event);
    for (const { id } of (await store.outputs.pointers({ sessionId: session, limit: 9 })).entries) {
      log.push(await store.outputs.load({ id }));
    }
    expect(log.length).toBeGreaterThan(2);
    expect(JSON.stringify(log)).not.toContain(secret);
  });
});

describe('histories that are no continuation', () => {
  it('are followed: a rewind keeps what both have in common', async () => {
    const clock = { now: 1e12 };
    const proxy = createProxy({ store: await testStore(clock) });
    const steps = longWork(20);
    const bodies = await runAgent(steps, proxy, clock);
    const other = [
      ...messagesAfter(steps.slice(0, 15)),
      { role: 'user', content: 'No, rather that.' } as const,
    ];
    const { body } = await send(proxy, bodyOf(other));
    const common = prefixOf(JSON.parse(bodyOf(messagesAfter(steps.slice(0, 15))))).length;
    const before = prefixOf(JSON.parse(bodies.at(-1) ?? '')).slice(0, common);
    expect(isPrefix(before, prefixOf(JSON.parse(body)))).toBe(true);
    expect(proxy.totals().failedOpen).toBe(0);
  });

  it('of a sub-agent and after a compaction have a session of their own; titles and probes have none', async () => {
    const store = await testStore();
    const proxy = createProxy({ store });
    await send(proxy, bodyOf(messagesAfter(longWork(1))));
    const agent = { ...headers, 'x-claude-code-agent-id': 'a1' };
    await send(proxy, bodyOf(messagesAfter(longWork(1), 'Search.')), agent);
    await send(proxy, bodyOf(messagesAfter([], 'This session is being continued.')));
    const title = bodyOf(messagesAfter([])).replace(/"tools":\[.*?\}\}\]/, '"tools":[]');
    expect((await send(proxy, title)).exchange.sessionId).toBeUndefined();
    expect(proxy.sessions()).toHaveLength(3);
  });

  it.each([
    ['watched', { watch: true }],
    ['held out', { holdout: 1 }],
  ])(
    'that begin with the same words go out as they came while they are %s, whatever tool is asked for',
    async (_how, options) => {
      const proxy = createProxy({ store: await testStore(), ...options, tool: true });
      const step: Step = { tool: 'Bash', input: { command: 'ls' }, result: 'x' };
      for (const steps of [[], [step], [], [{ ...step, result: 'y' }]]) {
        const given = geminiBodyAfter(steps);
        expect(await sentFor(proxy, given)).toBe(given);
      }
    },
  );

  it('of programs without ids are parted by their first answer, at once and after a restart', async () => {
    const clock = { now: 1e12 };
    const store = await testStore(clock);
    const proxy = createProxy({ store });
    const large = (name: string): Step => {
      return { tool: 'Bash', input: { command: name }, result: fileText(name, 2000) };
    };
    const runs = ['a', 'b', 'c'].map((name) => {
      return [large(name), { ...large(`${name}2`), result: 'ok' }, large(`${name}3`)];
    });
    const sent = new Map<number, string[]>();
    const sendAll = async (through: Proxy, counts: readonly number[]): Promise<void> => {
      for (const count of counts) {
        for (const [index, steps] of runs.entries()) {
          const given = bodyOf(messagesAfter(steps.slice(0, count)));
          const { body } = await send(through, given, {});
          sent.set(index, [...(sent.get(index) ?? []), body]);
        }
      }
    };
    await sendAll(proxy, [0, 1, 2]);
    await sendAll(createProxy({ store }), [3]);
    for (const bodies of sent.values()) {
      expect(changesOf(bodies)).toBe(0);
      expect(bodies.at(-1)).toContain('ctx read ctx://outputs/');
    }
    const { entries } = await store.sessions.list({});
    expect(entries).toHaveLength(3);
    for (const { id } of entries) {
      for await (const { type } of store.events.read(id)) expect(type).not.toContain('rewound');
    }
    expect(proxy.totals()).toMatchObject({ requests: 9, failedOpen: 0 });
  });

  it('stay the same where a text becomes a string', async () => {
    const proxy = createProxy({ store: await testStore() });
    const blocks: AnthropicMessage = { role: 'user', content: [{ type: 'text', text: 'Do it.' }] };
    const plain: AnthropicMessage = { role: 'user', content: 'Do it.' };
    const [, ...rest] = messagesAfter(longWork(2));
    await send(proxy, bodyOf([blocks]));
    await send(proxy, bodyOf([plain, ...rest]));
    expect(proxy.sessions()).toHaveLength(1);
    expect(proxy.totals()).toMatchObject({ requests: 2, failedOpen: 0 });
  });
});
