import { validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { hugeMarker, hugeStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';
import { textOf } from './connect.ts';
import { pageText, pixel, rows } from './scripted-tools.ts';
import { setUp, run, logsIn, task } from './put-away.ts';

describe('a client of version 1 whose results are put away', () => {
  it('runs 60 steps in a small window: every request is valid and every output comes back', async () => {
    const host = await setUp();
    const requests = await run(host, [task], { from: 1, to: scenarioSteps });
    expect(requests).toHaveLength(scenarioSteps + 1);
    for (const request of requests) {
      expect(validateMessages(request)).toEqual([]);
      const text = JSON.stringify(request);
      expect(text).not.toContain(hugeMarker);
      expect(text.length / 4).toBeLessThan(16_000);
    }
    const logs = await logsIn(host.manager);
    for (let step = 1; step <= scenarioSteps; step += 1) {
      expect(logs.has(step % 13 === 0 ? 'this tool fails' : logOfStep(step))).toBe(true);
    }
    const breaks = requests.filter((request, index) =>
      (requests[index - 1] ?? []).some(
        (message, place) => JSON.stringify(request[place]) !== JSON.stringify(message),
      ),
    );
    expect(breaks.length).toBeGreaterThan(0);
    expect(breaks.length).toBeLessThan(12);
  });

  it('gets a preview of a megabyte, and what was put away stays readable', async () => {
    const { client, manager } = await setUp();
    const answer = await client.callTool({ name: 'read_log', arguments: { step: hugeStep } });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
    const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(textOf(answer))?.[0];
    const [read] = manager.tools();
    expect(await read?.execute({ pointer, pattern: hugeMarker })).toContain(hugeMarker);
  });

  it('keeps images, puts embedded resources away, and leaves the given result as it is', async () => {
    const { client, manager } = await setUp();
    const { content } = await client.callTool({ name: 'page', arguments: {} });
    expect(content).toMatchObject([{ type: 'image', data: pixel }, { type: 'text' }]);
    expect(textOf({ content })).toContain('ctx://outputs/');
    expect(await logsIn(manager)).toContain(pageText);
  });

  it('records what a tool fails with, and says it on', async () => {
    const { client, manager, store } = await setUp();
    const answer = await client.callTool({ name: 'fail', arguments: { step: 1 } });
    expect(answer).toMatchObject({ isError: true });
    const gone = client.callTool({ name: 'read_log', arguments: { step: 1 } }, undefined, {
      signal: AbortSignal.abort(),
    });
    await expect(gone).rejects.toThrow();
    await manager.end();
    expect((await store.sessions.get('s'))?.document.tool_stats.failures).toBe(2);
  });

  it('leaves structured content whole for tools that promise it: the client takes no other answer', async () => {
    const { client } = await setUp();
    await client.listTools();
    const answer = await client.callTool({ name: 'table', arguments: {} });
    expect(answer.structuredContent).toEqual({ rows });
    expect(textOf(answer)).toContain('ctx://outputs/');
  });

  it('can take the promise out of the list of tools instead, and the content with it', async () => {
    const { client, manager } = await setUp({ structured: 'drop' });
    const { tools } = await client.listTools();
    expect(tools.every((tool) => !('outputSchema' in tool))).toBe(true);
    const answer = await client.callTool({ name: 'table', arguments: {} });
    expect(answer.structuredContent).toBeUndefined();
    expect([...(await logsIn(manager))]).toContainEqual({ rows });
  });
});
