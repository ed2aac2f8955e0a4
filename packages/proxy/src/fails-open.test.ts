import { openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import { prefixOf, problemOf } from './test-support/judge-anthropic.ts';
import { bodyOf, fileText, messagesAfter, type Step } from './test-support/scripted-agent.ts';

/** A store that may be full, or gone. */
function failingBackend(): { backend: StoreBackend; fails: { writes: boolean; reads: boolean } } {
  const fails = { writes: false, reads: false };
  const backend = memoryBackend();
  const broken = (method: string): boolean =>
    method === 'write' ? fails.writes : fails.reads && method !== 'close';
  const proxied = new Proxy(backend, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        if (broken(String(name))) throw new Error('ENOSPC: no space left on device');
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { backend: proxied, fails };
}

const steps = Array.from({ length: 12 }, (_, index): Step => {
  const result = fileText(`part${String(index)}`, index % 3 === 0 ? 900 : 40);
  return { tool: 'Bash', input: { command: `make part${String(index)}` }, result };
});

it.each([
  ['full', { writes: true, reads: false }],
  ['gone', { writes: true, reads: true }],
])(
  'a store that is %s for a while: each request goes out and begins with the one before; then it is shaped again',
  async (_, broken) => {
    const { backend, fails } = failingBackend();
    const said: string[] = [];
    const onFailure = (line: string): void => void said.push(line);
    const proxy = createProxy({ store: await openStore(backend), onFailure });
    const bodies: string[] = [];
    const send = async (count: number): Promise<void> => {
      const given = bodyOf(messagesAfter(steps.slice(0, count)));
      const headers = { 'x-claude-code-session-id': 's' };
      const request = { path: '/v1/messages', headers, body: Buffer.from(given) };
      const exchange = await proxy.exchange(request);
      bodies.push(exchange.body ?? given);
      const reader = exchange.answer('application/json');
      reader.write(Buffer.from('{"usage":{"input_tokens":1000,"output_tokens":1}}'));
      await reader.end();
    };
    for (let count = 0; count <= 5; count += 1) await send(count);
    Object.assign(fails, broken);
    for (let count = 6; count <= 8; count += 1) await send(count);
    Object.assign(fails, { writes: false, reads: false });
    for (let count = 9; count <= 12; count += 1) await send(count);
    const read = bodies.map((body): unknown => JSON.parse(body));
    expect(read.map((body) => problemOf(body, new Set()))).toEqual(read.map(() => undefined));
    const prefixes = read.map(prefixOf);
    for (const [index, prefix] of prefixes.entries()) {
      expect(prefix.slice(0, prefixes[index - 1]?.length ?? 0)).toEqual(prefixes[index - 1] ?? []);
    }
    const commands = bodies.map((body) => body.split('more in a shell with: ctx read').length - 1);
    expect(commands).toEqual([0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3]);
    const { failedOpen, inputTokens } = proxy.totals();
    expect({ failedOpen, inputTokens }).toEqual({ failedOpen: 3, inputTokens: 13_000 });
    const why = /requests go out as the client writes them: .*: ENOSPC: no space left on device$/;
    for (const line of said) expect(line).toMatch(why);
    expect(said).toHaveLength(3);
  },
);
