import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type World, waitForLive } from './test-support/world.ts';

/** The middle of some numbers. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Notes in the page when texts are painted, by this machine's clock, which is the clock of this process, too. */
async function notePaints(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Reflect.set(window, 'seen', seen);
    const look = (): void => {
      for (const row of document.querySelectorAll('.item-row')) {
        const text = /elsewhere \d+\./.exec(row.textContent)?.[0];
        if (text === undefined || seen[text] !== undefined) continue;
        seen[text] = Number.POSITIVE_INFINITY;
        requestAnimationFrame(() => {
          seen[text] = performance.timeOrigin + performance.now();
        });
      }
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
}

async function paintOf(page: Page, text: string): Promise<number> {
  const painted = await page.waitForFunction(
    (name) => {
      const time = Number(Reflect.get(Reflect.get(window, 'seen'), name));
      return Number.isFinite(time) ? time : undefined;
    },
    text,
    { timeout: 5000 },
  );
  return Number(await painted.jsonValue());
}

const writes = 15;

function showsAtOnce(world: () => World): void {
  it('shows what another process writes without being asked', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/agents/live-agent');
    await notePaints(page);
    const store = await up.other.store('default');
    const delays: number[] = [];
    for (let number = 0; number < writes; number += 1) {
      const content = `elsewhere ${String(number)}.`;
      const begin = Date.now();
      await store.items.save({ agentId: 'live-agent', kind: 'TASK', content });
      delays.push((await paintOf(page, content)) - begin);
      // Not in step with the server's looking.
      await page.waitForTimeout(200 + number * 17);
    }
    const worst = Math.max(...delays);
    console.log(
      `painted after the write began: median ${medianOf(delays).toFixed(0)}, worst ${worst.toFixed(0)} ms`,
    );
    expect(delays).toHaveLength(writes);
    await page.context().close();
  }, 60_000);
}

/** Adds up in the page by how much its content jumps, and what does. */
export async function noteShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shifts = { sum: 0, what: new Array<string>() };
    Reflect.set(window, 'shifts', shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.sum += Number(Reflect.get(entry, 'value'));
        for (const { node } of Reflect.get(entry, 'sources') as { node?: Node }[]) {
          const place = node?.parentElement?.outerHTML.slice(0, 200) ?? 'something that is gone';
          shifts.what.push(`${location.pathname}: ${place}`);
        }
      }
    }).observe({ type: 'layout-shift' });
  });
}

const views = ['/agents/demo-agent', '/agents', '/sessions/demo', '/sessions', '/statistics'];

async function openAll(world: () => World, paths: readonly string[]): Promise<Page[]> {
  const { openPage, openView } = world();
  const pages: Page[] = [];
  for (const path of paths) {
    const page = await openPage();
    await openView(page, path);
    await noteShifts(page);
    pages.push(page);
  }
  return pages;
}

/** Closes the pages. Throws where one of them jumped, with what did. */
export async function expectNoShift(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    const shifts = await page.evaluate<{ sum: number; what: string[] }>('window.shifts');
    expect.soft(shifts).toEqual({ sum: 0, what: [] });
    await page.context().close();
  }
}

function standsStill(world: () => World): void {
  it('does not jump while 50 events a second come in, and shows the last of them', async () => {
    const pages = await openAll(world, views);
    const store = await world().up.other.store('default');
    const begin = Date.now();
    for (let number = 0; number < 150; number += 1) {
      const content = `burst ${String(number)}`;
      await store.items.save({ agentId: 'demo-agent', sessionId: 'demo', kind: 'TASK', content });
      const ahead = begin + (number + 1) * 20 - Date.now();
      if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
    }
    const seconds = (Date.now() - begin) / 1000;
    const { items } = await store.items.stats('demo-agent');
    await pages[0]?.getByText(`${String(items)} of ${String(items)} items`).waitFor();
    console.log(`at ${(150 / seconds).toFixed(0)} events/s`);
    await expectNoShift(pages);
  }, 90_000);
}

type Message = Record<string, unknown>;

/** What an agent says and is told in one step. */
function stepMessages(step: number): Message[] {
  const id = `call-${String(step)}`;
  const text = `line of step ${String(step)}\n`.repeat(40 + step * 9);
  const use = { type: 'tool_use', id, name: 'read_file', input: { path: `src/${id}.ts` } };
  const result = { type: 'tool_result', tool_use_id: id, content: text };
  return [
    { role: 'assistant', content: [use] },
    { role: 'user', content: [result] },
  ];
}

function standsStillAtWork(world: () => World): void {
  it('does not jump while an agent fills its window and flushes it', async () => {
    const { client } = world().up;
    const params = { path: { session: 'at-work' } };
    const messages: Message[] = [{ role: 'user', content: 'Read all of it.' }];
    const prepare = async (): Promise<number> => {
      const body = { agentId: 'demo-agent', from: 0, windowTokens: 20_000, messages };
      const path = '/v1/sessions/{session}/prepare';
      let answer = await client.POST(path, { params, body });
      // A server that has too much to do says so.
      for (let tries = 0; answer.response.status === 503 && tries < 50; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        answer = await client.POST(path, { params, body });
      }
      expect(answer.error).toBeUndefined();
      return answer.data?.messages.length ?? 0;
    };
    await prepare();
    const tabs = ['', '/timeline', '/request', '/left', '/outputs'];
    const pages = await openAll(
      world,
      tabs.map((tab) => `/sessions/at-work${tab}`),
    );
    for (let step = 0; step < 60; step += 1) {
      messages.push(...stepMessages(step));
      expect(await prepare()).toBeGreaterThan(0);
    }
    await pages[0]?.getByText('61', { exact: true }).first().waitFor({ timeout: 120_000 });
    await expectNoShift(pages);
  }, 240_000);
}

function comesBack(world: () => World): void {
  it('comes back after the server was away, with all that was written meanwhile, once', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/agents/away-agent');
    const store = await up.other.store('default');
    await store.items.save({ agentId: 'away-agent', kind: 'TASK', content: 'written before' });
    await page.getByText('written before').waitFor();
    await up.stop();
    await page.getByText('Reconnecting').waitFor();
    for (let number = 0; number < 20; number += 1) {
      const content = `written meanwhile ${String(number)}.`;
      await store.items.save({ agentId: 'away-agent', kind: 'NOTE', content });
    }
    await up.start();
    await waitForLive(page);
    await page.getByText('21 of 21 items').waitFor();
    for (let number = 0; number < 20; number += 1) {
      const row = page.getByText(`written meanwhile ${String(number)}.`, { exact: true });
      // Rows beyond the edge are not there.
      expect(await row.count()).toBeLessThanOrEqual(1);
    }
    await page.context().close();
  }, 90_000);
}

function isThereBefore(world: () => World): void {
  it('is there before its live connection is, and reads everything once when that comes', async () => {
    const { up, browser } = world();
    const page = await (await browser.newContext()).newPage();
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/v1/')) read.push(pathname + search);
    });
    // Lets the page wait for its connection without an end.
    await page.addInitScript(() => {
      const wait = window.setTimeout.bind(window);
      const patient = (run: () => void, ms?: number) => (ms === 400 ? 0 : wait(run, ms));
      Reflect.set(window, 'setTimeout', patient);
    });
    const events = new EventEmitter();
    const connected = once(events, 'connected');
    await page.routeWebSocket(/\/v1\/live/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        void connected.then(() => {
          socket.send(message);
        });
      });
    });
    await page.goto(up.address);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(read).toEqual([]);
    events.emit('connected');
    await waitForLive(page);
    await page.getByRole('link', { name: 'demo' }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(read.length).toBeGreaterThan(1);
    expect(read).toEqual([...new Set(read)]);
    await page.context().close();
  }, 60_000);
}

/** What comes in while the page is open. */
export function liveTests(world: () => World): void {
  showsAtOnce(world);
  standsStill(world);
  standsStillAtWork(world);
  comesBack(world);
  isThereBefore(world);
}
