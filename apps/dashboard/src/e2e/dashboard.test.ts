import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../test-support/build-page.ts';
import { chromiumPath } from './test-support/chromium.ts';
import { type DemoServer, fillDemo, startDemoServer } from './test-support/demo-server.ts';

/** Where the run leaves its pictures; git does not take them. */
const pictures = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));

const views = {
  sessions: '/sessions',
  now: '/sessions/demo',
  timeline: '/sessions/demo/timeline',
  left: '/sessions/demo/left',
  request: '/sessions/demo/request/40',
  outputs: '/sessions/demo/outputs',
  agents: '/agents',
  items: '/agents/demo-agent',
  checkpoints: '/agents/demo-agent/checkpoints',
  flush: '/sessions/demo/flush/',
  compaction: '/sessions/talk/compaction/0',
  search: '/outputs?q=error',
  statistics: '/statistics',
} as const;

let demo: DemoServer;
let browser: Browser;
const faults: string[] = [];

async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  await page.goto(`${demo.url}/#key=${demo.key}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/** The request for which something left first. */
async function firstFlush(): Promise<number> {
  const params = { path: { session: 'demo' } };
  const { data } = await demo.client.GET('/v1/sessions/{session}/requests', { params });
  return data?.requests.find(({ flush }) => flush !== undefined)?.number ?? 0;
}

async function openView(page: Page, path: string): Promise<void> {
  const rest = path.endsWith('/flush/') ? String(await firstFlush()) : '';
  await page.goto(demo.url + path + rest);
  await page.locator('main h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('alert').count()).toBe(0);
}

async function confirm(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: act, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

if (chromiumPath === undefined) {
  console.log('no chromium on this machine (apt-get install chromium): the page is not tested');
}

describe.skipIf(chromiumPath === undefined)('the dashboard in a browser', () => {
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    buildPage();
    demo = await startDemoServer();
    await fillDemo(demo);
    browser = await chromium.launch({
      ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await demo.stop();
  });

  it('takes the key out of the address bar', async () => {
    const page = await openPage();
    expect(page.url()).not.toContain('key');
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`shows each view in ${colorScheme}, with nothing serious for axe`, async () => {
      const page = await openPage({ colorScheme, viewport: { width: 1280, height: 860 } });
      for (const [name, path] of Object.entries(views)) {
        await openView(page, path);
        await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(
          ({ impact }) => impact === 'serious' || impact === 'critical',
        );
        expect(serious.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual(
          [],
        );
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }, 240_000);
  }

  it('fits a phone: no view is wider than the screen', async () => {
    const page = await openPage({ viewport: { width: 390, height: 780 } });
    for (const [name, path] of Object.entries(views)) {
      await openView(page, path);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, name).toBeLessThanOrEqual(0);
    }
    await page.context().close();
  }, 120_000);

  it('says where the tokens go, what left and why, and brings it back', async () => {
    const page = await openPage();
    await openView(page, '/sessions/demo');
    await page.getByText('tool results').first().waitFor();
    await page.getByText('See what, and bring it back').click();
    await page.getByRole('heading', { name: /Request \d+: [\d,]+ → [\d,]+ tokens/ }).waitFor();
    expect(await page.locator('.piece').count()).toBeGreaterThan(0);
    await page.locator('.piece summary').first().click();
    await page.getByText('Before', { exact: true }).first().waitFor();
    const before = (
      await demo.client.GET('/v1/sessions/{session}/requests', {
        params: { path: { session: 'demo' } },
      })
    ).data?.total;
    await confirm(page, 'Bring all of it back', 'Bring it back');
    const after = (
      await demo.client.GET('/v1/sessions/{session}/requests', {
        params: { path: { session: 'demo' } },
      })
    ).data?.total;
    expect(after).toBeLessThan(before ?? 0);
    await page.context().close();
  }, 60_000);

  it('shows what another opening of the store writes, at once and without reading the page again', async () => {
    const page = await openPage();
    await openView(page, '/agents/live-agent');
    const store = await demo.other.store('default');
    await store.items.save({ agentId: 'live-agent', kind: 'TASK', content: 'written elsewhere' });
    const begin = performance.now();
    await page.getByText('written elsewhere').waitFor({ timeout: 5000 });
    console.log(`on screen ${(performance.now() - begin).toFixed(0)} ms after the write`);
    await page.context().close();
  }, 30_000);

  it('does not jump while 50 events a second come in', async () => {
    const page = await openPage();
    await openView(page, '/agents/demo-agent');
    await page.evaluate(() => {
      Reflect.set(window, 'shifts', 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const sum = Number(Reflect.get(window, 'shifts')) + Number(Reflect.get(entry, 'value'));
          Reflect.set(window, 'shifts', sum);
        }
      }).observe({ type: 'layout-shift' });
    });
    const store = await demo.other.store('default');
    for (let number = 0; number < 100; number += 1) {
      const content = `burst ${String(number)}`;
      await store.items.save({ agentId: 'demo-agent', kind: 'NOTE', content });
      await page.waitForTimeout(15);
    }
    await page.waitForTimeout(500);
    const shifts = await page.evaluate(() => Number(Reflect.get(window, 'shifts')));
    console.log(`layout shift during 100 events: ${String(shifts)}`);
    expect(shifts).toBeLessThan(0.01);
    await page.context().close();
  }, 60_000);

  it('comes back after the server was away, with what was written meanwhile', async () => {
    const page = await openPage();
    await openView(page, '/agents/live-agent');
    await demo.server.stop();
    await page.getByText('Reconnecting').waitFor();
    const store = await demo.other.store('default');
    await store.items.save({ agentId: 'live-agent', kind: 'TASK', content: 'written meanwhile' });
    await demo.restart();
    await page.getByText('written meanwhile').waitFor({ timeout: 15_000 });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().close();
  }, 60_000);

  it('pins, forks, restores and deletes, each after a question', async () => {
    const page = await openPage();
    await openView(page, '/agents/demo-agent');
    await page.locator('.item-row').first().click();
    await confirm(page, 'Pin', 'Pin');
    await page.getByRole('button', { name: 'Unpin', exact: true }).waitFor();
    await confirm(page, 'Delete', 'Delete');
    await page.getByText('105 of 105 items').waitFor();
    await openView(page, '/agents/demo-agent/checkpoints');
    await confirm(page, 'Fork', 'Fork');
    const { data } = await demo.client.GET('/v1/sessions', { params: {} });
    expect(data?.sessions.map(({ id }) => id)).toContain('demo-fork');
    await confirm(page, 'Restore', 'Restore');
    await page.getByText('#1', { exact: true }).waitFor();
    await page.context().close();
  }, 60_000);

  it('is walked with the keyboard alone', async () => {
    const page = await openPage();
    await openView(page, '/sessions');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/.+/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openView(page, '/agents/demo-agent');
    await page.keyboard.press('/');
    await page.keyboard.type('number');
    await page.waitForURL(/q=number/);
    await page.context().close();
  }, 60_000);

  it('asks for a key where the one it has is not good, and lets in with a good one', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${demo.url}/#key=ctx_wrong`);
    await page.getByRole('heading', { name: 'This key is not good any more' }).waitFor();
    await page.getByLabel('Key', { exact: true }).fill(demo.key);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const { text, key } = await demo.server.stores.keys.create({
      tenant: 'default',
      scope: 'read',
      label: 'short',
    });
    await page.goto(`${demo.url}/statistics#key=${text}`);
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await demo.server.stores.keys.revoke(key.id);
    await page.getByRole('heading', { name: 'This key is not good any more' }).waitFor();
    await context.close();
  }, 60_000);

  it('shows 100 payloads as the text that they are', async () => {
    const payloads = Array.from({ length: 20 }, (_, number) => [
      `<script>alert(${String(number)})</script>`,
      `<img src=x onerror=alert(${String(number)})>`,
      `"><svg onload=alert(${String(number)})>`,
      `javascript:alert(${String(number)})`,
      `{{constructor.constructor('alert(${String(number)})')()}}`,
    ]).flat();
    const session = '<img src=x onerror=alert(1)>';
    for (const payload of payloads) {
      await demo.client.POST('/v1/agents/{agent}/items', {
        params: { path: { agent: session } },
        body: { kind: payload.slice(0, 60), content: payload },
      });
    }
    await demo.client.POST('/v1/outputs', {
      body: { sessionId: session, toolName: payloads[0] ?? '', args: payloads, result: payloads },
    });
    await demo.client.PUT('/v1/sessions/{session}', {
      params: { path: { session } },
      headers: { 'If-None-Match': '*' },
      body: { document: emptyDocument(session), title: payloads[1] ?? '', agentId: session },
    });
    faults.length = 0;
    const page = await openPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(demo.url)) foreign.push(request.url());
    });
    await openView(page, '/agents');
    await page.getByText('<img src=x onerror=alert(1)>').first().click();
    await page.locator('.item-row', { hasText: '<script>alert' }).first().waitFor();
    await page.locator('.item-row').first().click();
    await page.getByRole('region', { name: 'Content of the item' }).waitFor();
    await openView(page, '/sessions');
    await page.getByText('<img src=x onerror=alert(0)>').first().click();
    await page.getByRole('link', { name: 'Tool outputs', exact: true }).click();
    await page.locator('.output-row').first().click();
    await page.getByRole('region', { name: 'Result' }).waitFor();
    expect(await page.locator('main img, main script, main svg, main iframe').count()).toBe(0);
    expect([faults, foreign]).toEqual([[], []]);
    await page.context().close();
  }, 120_000);

  it('shows a list of 10,000 items without a row for each', async () => {
    const store = await demo.server.stores.store('default');
    for (let start = 0; start < 10_000; start += 500) {
      const numbers = Array.from({ length: 500 }, (_, number) => String(start + number));
      const save = (number: string) =>
        store.items.save({ agentId: 'many', kind: 'NOTE', content: `note ${number}` });
      await Promise.all(numbers.map(save));
    }
    const page = await openPage();
    const begin = performance.now();
    await page.goto(`${demo.url}/agents/many`);
    await page.locator('.item-row').first().waitFor();
    console.log(`first view with 10,000 items after ${(performance.now() - begin).toFixed(0)} ms`);
    await page.getByText('10,000 of 10,000 items').waitFor({ timeout: 60_000 });
    expect(await page.locator('.item-row').count()).toBeLessThan(80);
    await page.context().close();
  }, 240_000);

  it('says what to do where there is nothing', async () => {
    const empty = await startDemoServer();
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${empty.url}/#key=${empty.key}`);
    await page.getByRole('heading', { name: 'No session yet' }).waitFor();
    await page.goto(`${empty.url}/agents`);
    await page.getByRole('heading', { name: 'No agent keeps items yet' }).waitFor();
    await page.context().close();
    await empty.stop();
  }, 60_000);
});

function emptyDocument(id: string) {
  return {
    session_id: id,
    system_state: {},
    facts: [],
    recent_history: [],
    long_term_summary: '',
    active_tasks: [],
    tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
    last_known_environment: {},
    token_usage: { total_input: 0, total_output: 0, by_session: 0 },
  };
}
