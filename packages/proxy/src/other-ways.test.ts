import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { sessionLog, windowModes } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import type { ProxyOptions } from './exchange/types.ts';
import { createProxy } from './proxy.ts';
import { changesOf, send, testStore } from './test-support/anthropic-conversation.ts';
import { bodyOf, fileText, messagesAfter, type Step } from './test-support/scripted-agent.ts';

const file = fileText('a', 400);
const build = Array.from({ length: 1500 }, (_, step) => `step ${String(step)} of the build`);
const steps: readonly Step[] = [
  { tool: 'Read', input: { file_path: '/p/a.ts' }, result: file },
  { tool: 'Bash', input: { command: 'make' }, result: build.join('\n') },
  { tool: 'Read', input: { file_path: '/p/a.ts' }, result: file },
  { tool: 'Bash', input: { command: 'make' }, result: build.join('\n') },
  { tool: 'Read', input: { file_path: '/p/b.ts' }, result: fileText('b', 400) },
  { tool: 'Bash', input: { command: 'make x' }, result: build.join(' x\n') },
];

const reads = Array.from({ length: 16 }, (_, index): Step => {
  const name = `f${String(index)}`;
  return { tool: 'Read', input: { file_path: `/p/${name}.ts` }, result: fileText(name, 400) };
});

interface Bodies {
  readonly given: readonly string[];
  readonly sent: readonly string[];
  readonly said: readonly string[];
}

interface Course {
  readonly steps: readonly Step[];
  /** How many minutes after the one before a request comes. */
  readonly minutesBefore: (done: number) => number;
}

/** One conversation through several proxies over one store: `after` so many steps each goes on. */
async function through(
  ways: readonly (readonly [number, Partial<ProxyOptions>])[],
  { steps: course, minutesBefore }: Course = { steps, minutesBefore: () => 0 },
) {
  const clock = { now: 1e12 };
  const store = await testStore(clock);
  const bodies: { [name in keyof Bodies]: string[] } = { given: [], sent: [], said: [] };
  const onFailure = (line: string): void => void bodies.said.push(line);
  for (const [at, [from, options]] of ways.entries()) {
    const proxy = createProxy({ store, ...options, onFailure });
    const [end = course.length + 1] = ways[at + 1] ?? [];
    for (let done = from; done < end; done += 1) {
      clock.now += minutesBefore(done) * 60_000;
      const given = bodyOf(messagesAfter(course.slice(0, done)));
      bodies.given.push(given);
      bodies.sent.push((await send(proxy, given)).body);
    }
    await proxy.close();
  }
  return bodies;
}

const watch = { watch: true } as const;

it('a request that is only watched does not wait for the store, which has it when the proxy is closed', async () => {
  const backend = memoryBackend();
  let mayWrite = Promise.resolve();
  const store = await openStore({
    ...backend,
    write: async (operations) => {
      await mayWrite;
      await backend.write(operations);
    },
  });
  let allow = (): void => undefined;
  mayWrite = new Promise((resolve) => (allow = resolve));
  const proxy = createProxy({ store, ...watch });
  const { exchange } = await send(proxy, bodyOf(messagesAfter(steps)));
  const history = () => sessionLog(store, exchange.sessionId ?? '').history();
  expect(await history()).toEqual([]);
  allow();
  await proxy.close();
  expect(await history()).toHaveLength(13);
});

describe('a session that goes on in another way', () => {
  it.each([
    ['shaped', {}],
    ['with the tool', { tool: true }],
    ['thriftier', { policy: windowModes.thrifty }],
  ])('begins as it was sent while it was watched, and is then %s', async (_how, options) => {
    const { given, sent, said } = await through([
      [0, watch],
      [5, options],
    ]);
    expect([changesOf(sent), said]).toEqual([0, []]);
    expect(sent.slice(0, 5)).toEqual(given.slice(0, 5));
    expect(sent.at(-1)?.length).toBeLessThan((given.at(-1)?.length ?? 0) - 10_000);
  });

  it('goes out as the client writes it while it is watched, says once that this changed what had been sent, and is then sent as it was', async () => {
    const { given, sent, said } = await through([
      [0, {}],
      [3, watch],
      [5, watch],
      [6, {}],
    ]);
    expect(sent.slice(3, 6)).toEqual(given.slice(3, 6));
    expect(changesOf(sent)).toBe(1);
    expect(said).toEqual([expect.stringMatching(/^p\d{15}: its requests went out smaller before/)]);
    expect(sent.at(-1)?.length).toBeLessThan((given.at(-1)?.length ?? 0) - 10_000);
  });

  it('keeps what the cache of the provider has, which requests that were only watched kept warm', async () => {
    const course = { steps: reads, minutesBefore: () => 4 };
    const ways = [
      [0, {}],
      [7, watch],
      [16, {}],
    ] as const;
    const { given, sent } = await through(ways, course);
    expect(sent.map(({ length }) => length)).toEqual(given.map(({ length }) => length));
  });

  it('lets go what is old if the cache went cold since the last request that was watched', async () => {
    const minutesBefore = (done: number): number => (done === 16 ? 60 : 0);
    const { given, sent } = await through(
      [
        [0, watch],
        [16, {}],
      ],
      { steps: reads, minutesBefore },
    );
    expect(sent.slice(0, 16)).toEqual(given.slice(0, 16));
    expect(sent.at(-1)?.length).toBeLessThan((given.at(-1)?.length ?? 0) - 50_000);
  });

  it('lets go what is old when its tool comes back, for which the cache of the provider has nothing anyway', async () => {
    const ways = [
      [0, { tool: true }],
      [1, watch],
      [16, { tool: true }],
    ] as const;
    const { given, sent } = await through(ways, { steps: reads, minutesBefore: () => 0 });
    expect(sent.slice(1, 16)).toEqual(given.slice(1, 16));
    expect(sent.at(-1)).toContain('"ctx_read"');
    expect(sent.at(-1)?.length).toBeLessThan((given.at(-1)?.length ?? 0) - 50_000);
  });

  it('begins as it was sent after a refusal when another proxy shapes it again', async () => {
    const store = await testStore();
    const sent: string[] = [];
    const refusing = createProxy({ store });
    for (const done of [3, 4]) {
      const given = bodyOf(messagesAfter(steps.slice(0, done)));
      const { exchange } = await send(refusing, given);
      const again = await exchange.refused(400, '{"error":"no"}');
      expect(again).toBe(done === 3 ? given : undefined);
      sent.push(given);
    }
    await refusing.close();
    const after = createProxy({ store });
    const last = bodyOf(messagesAfter(steps));
    sent.push((await send(after, last)).body);
    expect(changesOf(sent)).toBe(0);
    expect(sent.at(-1)?.length).toBeLessThan(last.length - 10_000);
  });
});
