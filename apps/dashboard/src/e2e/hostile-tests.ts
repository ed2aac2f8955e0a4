import { idInUrl } from '@ctx/server/client';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { visibleText } from '../parts/text/plain-text.tsx';
import type { CtxUp } from './test-support/ctx-up.ts';
import { payloads } from './test-support/payloads.ts';
import { violationsOf, type World } from './test-support/world.ts';

const agent = payloads[1] ?? '';
const session = payloads[0] ?? '';

/** Each payload as content, kind, tool name, argument, result, title and id, message, label and summary. */
async function fill({ other, client }: CtxUp): Promise<void> {
  const store = await other.store('default');
  for (const [number, payload] of payloads.entries()) {
    const kind = payload.slice(0, 60);
    await store.items.save({ agentId: agent, kind, content: payload, source: kind });
    await store.outputs.save({
      sessionId: session,
      toolName: payload,
      args: { [payload]: payload },
      result: payload,
    });
    await store.sessions.update(payload, (one) => ({ ...one, agentId: agent, title: payload }));
    if (number > 3) continue;
    const params = { path: { agent } };
    const body = { label: payload, sessionId: session };
    await client.POST('/v1/agents/{agent}/checkpoints', { params, body });
  }
  const messages = payloads.map((content, number) => ({
    role: number % 2 === 0 ? 'user' : 'assistant',
    content,
  }));
  const params = { path: { session } };
  await client.POST('/v1/sessions/{session}/messages', { params, body: { messages } });
  const policy = { ifDue: false, isDryRun: false, keepEntries: 4 };
  await client.POST('/v1/sessions/{session}/compactions', { params, body: policy });
  await sendAll(client);
}

/** The same as requests with a window so small that something has to leave. */
async function sendAll(client: CtxUp['client']): Promise<void> {
  const params = { path: { session } };
  const filler = 'so that it does not fit. '.repeat(100);
  let from = 0;
  for (let start = 0; start < payloads.length; start += 20) {
    const messages = payloads.slice(start, start + 20).flatMap((payload, number) => {
      const id = `call_${String(start + number)}`;
      return [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id, name: 'Read', input: { payload } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: payload + filler }],
        },
      ];
    });
    const first = start === 0 ? [{ role: 'user', content: payloads[0] ?? '' }] : [];
    const body = { messages: [...first, ...messages], from, windowTokens: 16_000 };
    const format = 'anthropic' as const;
    await client.POST('/v1/sessions/{session}/prepare', { params, body: { ...body, format } });
    from += first.length + messages.length;
  }
}

/** Elements that no text of a view may have become. */
const strange =
  'img, script, iframe, object, embed, link, meta, base, style, math, video, form a, svg [onload], [onerror], [onclick], a[href^="javascript"], a[href^="http"]';

async function checkText(page: Page): Promise<void> {
  expect(await page.locator('main').locator(strange).count()).toBe(0);
}

let filling: Promise<void> | undefined;
/** The same, once. */
function filled(up: CtxUp): Promise<void> {
  return (filling ??= fill(up));
}

/** Every view that shows something of them. */
function hostileViews(): string[] {
  const path = `/sessions/${idInUrl(session)}`;
  const keeper = `/agents/${idInUrl(agent)}`;
  return [
    keeper,
    `${keeper}?q=alert`,
    `${keeper}/checkpoints`,
    '/agents',
    '/sessions',
    path,
    `${path}/timeline`,
    `${path}/left`,
    `${path}/flush/3`,
    `${path}/compaction/0`,
    `${path}/request`,
    `${path}/outputs`,
    '/outputs?q=alert',
    // There is none, and the page says so.
    `/sessions/${idInUrl(`${session} that is not there`)}/timeline`,
  ];
}

function showsText(world: () => World): void {
  it('shows 100 payloads in every place as the text that they are', async () => {
    const { up, openPage, faults } = world();
    expect(new Set(payloads).size).toBe(100);
    await filled(up);
    faults.length = 0;
    const page = await openPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(up.url)) foreign.push(request.url());
    });
    for (const view of hostileViews()) {
      await page.goto(up.url + view);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      if (view === '/sessions' || view === '/agents') expect(await violationsOf(page)).toEqual([]);
      await page.locator('main details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      await checkText(page);
    }
    await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor();
    expect([faults, foreign]).toEqual([[], []]);
    await page.context().close();
  }, 120_000);
}

function showsEachSign(world: () => World): void {
  it('opens the items of all payloads, and shows them sign by sign', async () => {
    const { up, openPage, faults } = world();
    await filled(up);
    const store = await up.other.store('default');
    const page = await openPage();
    const { entries } = await store.items.list(agent, { limit: 200 });
    expect(entries.length).toBe(payloads.length);
    for (const { id, content } of entries) {
      await page.goto(`${up.url}/agents/${idInUrl(agent)}?item=${idInUrl(id)}`);
      const text = await page.getByRole('region', { name: 'Content of the item' }).textContent();
      expect(text).toBe(visibleText(content));
      await checkText(page);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  }, 200_000);
}

function isGuarded(world: () => World): void {
  it('is served with a policy that lets nothing in but itself', async () => {
    const { headers } = await fetch(world().up.url);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
}

/** What others wrote to do harm. */
export function hostileTests(world: () => World): void {
  showsText(world);
  showsEachSign(world);
  isGuarded(world);
}
