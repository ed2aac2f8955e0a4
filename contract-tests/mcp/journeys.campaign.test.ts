import { wrapClient } from '@ctx/agent-adapter/mcp';
import { type Message, validateMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { hugeStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import { scriptedTools } from './scripted-tools.ts';
import { managerOf, setUp, run, logsIn, task } from './put-away.ts';

/** What a model reads of a request. */
function wordsOf(request: readonly Message[]): string[] {
  const blocks = request.flatMap(({ content }) => content);
  return blocks.flatMap((block) => {
    if (block.type === 'tool_use') return [`${block.name} ${JSON.stringify(block.input)}`];
    const parts = block.type === 'tool_result' ? block.content : [block];
    return parts.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part)));
  });
}

describe('a client of version 1 whose results are put away', () => {
  it('is compacted where stand-ins do not suffice: requests stay small, and every output comes back', async () => {
    const store = await openStore(memoryBackend());
    const manager = managerOf(store, {});
    let compactions = 0;
    manager.on('compacted', ({ window }) => {
      compactions += Number(window.compacted);
    });
    const client = wrapClient(manager, await scriptedTools());
    const said = (role: Message['role'], index: number): Message => {
      const text = `${role} says ${String(index)} ${'word '.repeat(120)}`;
      return { role, content: [{ type: 'text', text }] };
    };
    const chatter = Array.from({ length: 52 }, (_, index) => [
      said('user', index),
      said('assistant', index),
    ]).flat();
    const requests = await run({ client, manager }, [...chatter, task], {
      ...{ from: 1, to: scenarioSteps },
    });
    expect(compactions).toBeGreaterThan(0);
    for (const request of requests) {
      expect(validateMessages(request)).toEqual([]);
      const text = JSON.stringify(request);
      expect(store.countTokens(wordsOf(request).join('\n'))).toBeLessThan(16_000);
      expect(text).toContain('Go through the log.');
    }
    const logs = await logsIn(manager);
    for (let step = 1; step <= scenarioSteps; step += 1) {
      expect(logs.has(step % 13 === 0 ? 'this tool fails' : logOfStep(step))).toBe(true);
    }
  });

  it('goes on after a restart as if there had been none', async () => {
    const [straight, broken] = [await setUp(), await setUp()];
    const nameless = (requests: readonly (readonly Message[])[]): string =>
      JSON.stringify(requests.at(-1)).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output');
    const whole = await run(straight, [task], { from: 1, to: 40 });
    const history: Message[] = [task];
    await run(broken, history, { from: 1, to: 25 });
    await broken.manager.end();
    const manager = managerOf(broken.store);
    const again = { manager, client: wrapClient(manager, broken.plain) };
    const rest = await run(again, history, { from: 26, to: 40 });
    expect(nameless(rest)).toBe(nameless(whole));
  });

  it('goes on from a moment that has a name, with nothing of what came behind it', async () => {
    const host = await setUp();
    const history: Message[] = [task];
    await run(host, history, { from: 1, to: hugeStep + 2 });
    await host.manager.checkpoint('here');
    const kept = [...history];
    await run(host, history, { from: hugeStep + 3, to: hugeStep + 20 });
    await host.manager.restore('here');
    const { messages, receipt } = await host.manager.prepare(kept);
    expect(receipt).toMatchObject({ inserted: 0 });
    expect(receipt.rewound).toBeUndefined();
    expect(validateMessages(messages)).toEqual([]);
    const text = JSON.stringify(messages);
    expect(text).toContain(`step ${String(hugeStep + 2)} line`);
    expect(text).not.toContain(`step ${String(hugeStep + 3)} line`);
  });
});
