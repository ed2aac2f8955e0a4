import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { shellWords } from '../test-support/shell-words.ts';
import { confirm, type World } from './test-support/world.ts';

/** The lines that a view offers to copy. */
export async function linesOf(page: Page): Promise<string[]> {
  await page.locator('details.commands').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  return page.locator('.command code').allTextContents();
}

/** Runs lines that a page offers, and expects that each does what it says. */
export async function expectLines(up: World['up'], lines: Iterable<string>): Promise<void> {
  const key = new URL(up.address).hash.slice('#key='.length);
  for (const line of lines) {
    const [name, command = '', ...words] = shellWords(line);
    if (name === 'curl') {
      const headers = { authorization: `Bearer ${key}` };
      const { status } = await fetch(words.at(-1) ?? '', { headers });
      expect([line, status]).toEqual([line, 200]);
    } else {
      const { exitCode, stderr } = await up.home.run([command, ...words]);
      expect([line, exitCode, stderr.includes('error')]).toEqual([line, 0, false]);
    }
  }
}

function answersItsQuestions(world: () => World): void {
  it('says where the tokens go, what left and why, and brings it back', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage({ viewport: { width: 1280, height: 860 } });
    const total = async (): Promise<number> => {
      const params = { path: { session: 'demo' } };
      return (await up.client.GET('/v1/sessions/{session}/requests', { params })).data?.total ?? 0;
    };
    await openView(page, '/sessions/demo');
    // Each answer stands within the first screen.
    for (const text of ['tool results', 'In view', 'See what was removed']) {
      const box = await page.getByText(text).first().boundingBox();
      expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(860);
    }
    await page.getByText('See what was removed').click();
    await page.getByRole('heading', { name: /Request \d+: [\d,]+ tokens removed/ }).waitFor();
    await page.locator('.piece summary').first().click();
    await page.getByText('Before', { exact: true }).first().waitFor();
    const items = await up.client.GET('/v1/agents/{agent}/items', {
      params: { path: { agent: 'demo-agent' }, query: { limit: 200 } },
    });
    await page.getByRole('button', { name: 'Restore as item' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const more = await up.client.GET('/v1/agents/{agent}/items', {
      params: { path: { agent: 'demo-agent' }, query: { limit: 200 } },
    });
    expect((more.data?.items.length ?? 0) - (items.data?.items.length ?? 0)).toBe(1);
    const before = await total();
    await page.getByRole('button', { name: 'Rewind to before this flush' }).click();
    await page.getByRole('button', { name: 'Rewind', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await total()).toBeLessThan(before);
    await confirm(page, 'Undo', 'Undo');
    await page.getByRole('heading', { name: /Request \d+: [\d,]+ tokens removed/ }).waitFor();
    expect(await total()).toBe(before);
    await page.context().close();
  }, 60_000);
}

function filtersByChart(world: () => World): void {
  it('filters the list by a slice of the chart, and puts each state into the address', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/agents/demo-agent');
    await page.getByRole('button', { name: 'hot', exact: true }).click();
    await page.waitForURL(/tier=hot/);
    const count = await page.getByText(/^\d+ of \d+ items$/).textContent();
    const [shown, all] = (count ?? '').split(' of ').map((text) => Number.parseInt(text, 10));
    expect([shown !== undefined && shown > 0, (shown ?? 0) < (all ?? 0)]).toEqual([true, true]);
    await page.reload();
    await page.getByText(count ?? '').waitFor();
    await page.context().close();
  }, 60_000);
}

/** What each view shows. */
export function viewTests(world: () => World): void {
  filtersByChart(world);
  answersItsQuestions(world);
}
