import { expect, it } from 'vitest';
import type { World } from './test-support/world.ts';

/** Tests of what changed between a request and the one before it. */
export function changesTests(world: () => World): void {
  it('says what a request changed, where it broke the cache and what that cost', async () => {
    const { up, faults, openPage, openView } = world();
    const params = { path: { session: 'demo' } };
    const { data } = await up.client.GET('/v1/sessions/{session}/requests', { params });
    const flushed = data?.requests.find(({ flush }) => flush !== undefined)?.number ?? 0;
    const page = await openPage();
    await openView(page, `/sessions/demo/changes/${flushed}`);
    await page.getByText(`Request ${flushed} of`).waitFor();
    const cache = page.getByRole('region', { name: 'Cache' });
    await cache.getByText('The prefix ends at byte').waitFor();
    const path = { session: 'demo', number: flushed };
    const told = await up.client.GET('/v1/sessions/{session}/requests/{number}/diff', {
      params: { path },
    });
    for (const { tokens } of told.data?.cache.findings ?? []) {
      await cache.getByText(tokens.toLocaleString('en')).first().waitFor();
    }
    const removed = page.locator('.piece').filter({ hasText: 'Removed' }).first();
    await removed.locator('summary').click();
    await removed.getByText('nothing', { exact: true }).waitFor();
    expect((await removed.locator('pre').first().textContent())?.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('goes from event to event and plays, by keyboard alone, without filling the history', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/request/2');
    const entries = await page.evaluate(() => history.length);
    await page.getByRole('button', { name: 'Next event' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !location.pathname.endsWith('/request/2'));
    const first = page.url();
    await page.getByRole('button', { name: 'Play', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction((url) => location.href !== url, first);
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.getByRole('link', { name: 'What changed' }).click();
    await page.getByRole('region', { name: 'Cache' }).waitFor();
    await page.context().close();
  }, 60_000);
}
