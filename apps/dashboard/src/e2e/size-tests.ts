import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type CtxUp, startCtxUp } from './test-support/ctx-up.ts';
import { type World, waitForLive } from './test-support/world.ts';

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

/** When the first rows of an agent are there, ms after the address was opened: the best of three. */
async function firstView(page: Page, address: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    await page.goto('about:blank');
    await page.goto(address);
    await page.locator('.item-row').first().waitFor();
    times.push(await page.evaluate(() => performance.now()));
  }
  return Math.min(...times);
}

function takesMany(world: () => World): void {
  it('shows the first of 10,000 items within a second, and no row for each', async () => {
    await saveMany(world());
    const { up, openPage } = world();
    const page = await openPage();
    const few = await firstView(page, `${up.url}/agents/demo-agent`);
    const many = await firstView(page, `${up.url}/agents/many`);
    console.log(
      `first view with 10,000 items after ${many.toFixed(0)} ms, with 100 ${few.toFixed(0)}`,
    );
    expect(many).toBeLessThan(1000);
    await page.getByText('10,000 of 10,000 items').waitFor({ timeout: 60_000 });
    expect(await page.locator('.item-row').count()).toBeLessThan(80);
    await page.locator('.virtual').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page
      .locator('.item-row')
      .last()
      .getByText(/note \d+/)
      .waitFor();
    expect(await page.locator('.item-row').count()).toBeLessThan(80);
    await page.context().close();
  }, 240_000);
}

const empties = [
  ['/sessions', 'No session yet'],
  ['/agents', 'No agent keeps items yet'],
  ['/outputs', 'What are you looking for?'],
  ['/outputs?q=error', 'No output holds these words'],
  ['/agents/nobody', 'This agent keeps no items'],
  ['/agents/nobody/checkpoints', 'No checkpoint yet'],
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
  await page.getByText('ctx save --agent my-agent').waitFor();
  const words = ['save', '--agent', 'my-agent', '--kind', 'TASK', 'Port the parser'];
  const { exitCode } = await up.home.run([...words, '--store', up.storeUrl]);
  expect(exitCode).toBe(0);
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
