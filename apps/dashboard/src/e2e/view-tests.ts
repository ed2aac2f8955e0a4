import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { shellWords } from '../test-support/shell-words.ts';
import { viewsOf } from './test-support/views.ts';
import { confirm, type World } from './test-support/world.ts';

/** Where the run leaves its pictures; git does not take them. */
const pictures = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));

/** Small enough for a document, large enough for a screen of work. */
const pictureSize = { width: 1100, height: 740 };

async function seriousOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`);
}

function showsEachView(world: () => World): void {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`shows each view in ${colorScheme}, with nothing serious for axe`, async () => {
      const { up, faults, openPage, openView } = world();
      mkdirSync(pictures, { recursive: true });
      const page = await openPage({ colorScheme, viewport: pictureSize });
      for (const [name, path] of Object.entries(await viewsOf(up))) {
        await openView(page, path);
        await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
        expect([name, await seriousOf(page)]).toEqual([name, []]);
      }
      await page.getByRole('button', { name: 'Keys' }).click();
      expect(await seriousOf(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }, 400_000);
  }
}

function fitsAPhone(world: () => World): void {
  it('fits a phone: no view is wider than the screen', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage({ viewport: { width: 390, height: 780 } });
    for (const [name, path] of Object.entries(await viewsOf(up))) {
      await openView(page, path);
      await page.screenshot({ path: join(pictures, `${name}-phone.png`) });
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([name, beyond]).toEqual([name, 0]);
    }
    await page.context().close();
  }, 200_000);
}

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

function offersLines(world: () => World): void {
  it('offers command lines that run and addresses that answer', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    const lines = new Set<string>();
    for (const path of Object.values(await viewsOf(up))) {
      await openView(page, path);
      for (const line of await linesOf(page)) lines.add(line);
    }
    expect(lines.size).toBeGreaterThan(20);
    await expectLines(up, lines);
    await page.context().close();
  }, 200_000);
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
  showsEachView(world);
  fitsAPhone(world);
  offersLines(world);
  filtersByChart(world);
  answersItsQuestions(world);
}
