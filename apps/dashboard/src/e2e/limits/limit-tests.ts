import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startCtxUp } from '../test-support/ctx-up.ts';
import { type World, waitForLive } from '../test-support/world.ts';

/** Largest answer of a view, bytes. */
const mostBytes = 300_000;

const words = ['store', 'window', 'cache', 'token', 'plan', 'read', 'edit', 'line'];

function result(session: number, call: number, lines: number): string {
  return Array.from({ length: lines }, (_, row) => {
    const word = words[(call + row * row) % words.length] ?? '';
    return `${word} ${String(session)}.${String(call)}.${String(row)} ${words[row % 8] ?? ''}`;
  }).join('\n');
}

/** A recorded session of so many messages. */
function transcript(session: number, messages: number): string {
  const all: unknown[] = [{ role: 'user', content: `task ${String(session)}: tidy these files` }];
  for (let call = 0; all.length < messages; call += 1) {
    const id = `call_${String(session)}_${String(call)}`;
    const input = { file_path: `/w/file${String(call % 300)}.ts` };
    all.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] });
    const content = result(session, call, 30 + (call % 120));
    all.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] });
  }
  return JSON.stringify({ id: `s${String(session)}`, messages: all });
}

const views = [
  '/sessions',
  '/sessions?sort=cost&group=project',
  '/sessions/s0',
  '/sessions/s0/conversation',
  '/sessions/s0/timeline',
  '/sessions/s0/left',
  '/sessions/s0/request/700',
  '/sessions/s0/changes/700',
  '/sessions/s0/heat',
  '/sessions/s0/what-if',
  '/sessions/s0/outputs',
  '/agents',
  '/outputs?q=cache',
  '/statistics',
];

interface Measured {
  readonly ms: number;
  readonly answers: number;
  readonly largest: number;
}

/** Opens an address, and waits until it shows what it has. */
async function measure(page: Page, address: string): Promise<Measured> {
  await page.goto('about:blank');
  const start = performance.now();
  await page.goto(address);
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.loading') === null);
  const ms = Math.round(performance.now() - start);
  await page.waitForLoadState('networkidle');
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter((entry) => new URL(entry.name).pathname.startsWith('/v1/'))
      .map((entry) => entry.decodedBodySize),
  );
  return { ms, answers: sizes.length, largest: Math.max(0, ...sizes) };
}

/** Tests of how much a view asks for, over a large store. */
export function limitTests(world: () => World): void {
  it('no answer is larger than 300 KB on a store of 300 sessions, one of 3,000 messages, and prints how long views take', async () => {
    const up = await startCtxUp({ isDemo: false });
    try {
      const files = Array.from({ length: 300 }, (_, session) => {
        const file = join(up.home.folder, `s${String(session)}.json`);
        writeFileSync(file, transcript(session, session === 0 ? 3_000 : 13));
        return file;
      });
      const { exitCode } = await up.home.run(['import', ...files, '--store', up.storeUrl]);
      expect(exitCode).toBe(0);
      const page = await (await world().browser.newContext()).newPage();
      await page.goto(up.address);
      await waitForLive(page);
      for (const view of views) {
        const { ms, answers, largest } = await measure(page, up.url + view);
        const sizes = `${String(answers)} answers, the largest of ${String(largest)} bytes`;
        console.log(`${view}: ${String(ms)} ms, ${sizes}`);
        expect([view, largest <= mostBytes]).toEqual([view, true]);
        expect([view, await page.getByRole('alert').count()]).toEqual([view, 0]);
      }
      await page.context().close();
    } finally {
      await up.close();
    }
  }, 400_000);
}
