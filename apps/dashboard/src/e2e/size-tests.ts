import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type CtxUp, startCtxUp } from './test-support/ctx-up.ts';
import { type World, waitForLive } from './test-support/world.ts';
import { expectLines } from './view-tests.ts';

const count = 10_000;

async function saveMany({ up }: World): Promise<void> {
  const store = await up.other.store('default');
  for (let start = 0; start < count; start += 500) {
    const numbers = Array.from({ length: 500 }, (_, number) => String(start + number));
    await Promise.all(
      numbers.map((number) =>
        store.items.save({ agentId: 'many', kind: 'NOTE', content: `note ${number}` }),
      ),
    );
  }
}

interface FirstView {
  readonly answers: number;
  readonly bytes: number;
  /** From the opening of the address to the first row. */
  readonly ms: number;
}

/** Notes in the page itself when the first row was there: what arrives while the test asks does not count. */
function noteFirstRow(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector('button.item-row') === null) return;
    observer.disconnect();
    performance.mark('first row');
  }).observe(document, { childList: true, subtree: true });
}

function readFirstView(): FirstView {
  const ms = performance.getEntriesByName('first row')[0]?.startTime ?? Number.NaN;
  const answers = performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter((entry) => new URL(entry.name).pathname.startsWith('/v1/') && entry.responseEnd <= ms);
  const bytes = answers.reduce((sum, entry) => sum + entry.decodedBodySize, 0);
  return { answers: answers.length, bytes, ms };
}

/** What the server had answered by the time the first rows of an agent were there. */
async function firstView(page: Page, address: string): Promise<FirstView> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator('button.item-row').first().waitFor();
  return page.evaluate(readFirstView);
}

function takesMany(world: () => World): void {
  it('shows the first of 10,000 items after as few answers as the first of 100, and no row for each', async () => {
    await saveMany(world());
    const { up, openPage } = world();
    const page = await openPage();
    await page.addInitScript(noteFirstRow);
    const few = await firstView(page, `${up.url}/agents/demo-agent`);
    const many = await firstView(page, `${up.url}/agents/many`);
    console.log('first view with 100 items', few, 'with 10,000', many);
    expect(few.answers).toBeGreaterThan(0);
    expect(many.answers).toBeGreaterThan(0);
    expect(many.answers).toBeLessThanOrEqual(few.answers + 1);
    expect(many.bytes).toBeLessThan(300_000);
    await page.getByText('10,000 of 10,000 items').waitFor({ timeout: 60_000 });
    expect(await page.locator('button.item-row').count()).toBeLessThan(80);
    await page.locator('.virtual').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page
      .locator('button.item-row')
      .last()
      .getByText(/note \d+/)
      .waitFor();
    expect(await page.locator('button.item-row').count()).toBeLessThan(80);
    await page.context().close();
  }, 240_000);
}

const empties = [
  ['/sessions', 'No sessions yet'],
  ['/agents', 'No agent has items yet'],
  ['/outputs', 'What are you looking for?'],
  ['/outputs?q=error', 'No output contains these words'],
  ['/agents/nobody', 'This agent has no items'],
  ['/agents/nobody/checkpoints', 'No checkpoints yet'],
] as const;

async function goThroughEmpty({ browser }: World, up: CtxUp): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(up.address);
  await waitForLive(page);
  for (const [path, title] of empties) {
    await page.goto(up.url + path);
    await page.getByRole('heading', { name: title }).waitFor();
  }
  await page.goto(`${up.url}/statistics`);
  await page.getByText('Tool outputs').waitFor();
  await page.goto(`${up.url}/agents`);
  const line = await page.locator('code', { hasText: '--agent my-agent' }).textContent();
  await expectLines(up, [line ?? '']);
  await page.reload();
  await page.getByRole('link', { name: 'my-agent' }).waitFor();
  const store = await up.other.store('default');
  await store.items.save({ agentId: 'another', kind: 'TASK', content: 'Port it' });
  await page.getByRole('link', { name: 'another' }).waitFor();
  await page.context().close();
}

function takesNothing(world: () => World): void {
  it('says what to do where there is nothing, and the line that it shows does it', async () => {
    const up = await startCtxUp({ isDemo: false });
    try {
      await goThroughEmpty(world(), up);
    } finally {
      await up.close();
    }
  }, 120_000);
}

/** Very much, and nothing. */
export function sizeTests(world: () => World): void {
  takesMany(world);
  takesNothing(world);
}
