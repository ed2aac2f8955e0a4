import { expect, it } from 'vitest';
import type { World } from './test-support/world.ts';

function comparesPolicies(world: () => World): void {
  it('replays a session under other policies and another window, side by side, as the API says it', async () => {
    const { up, faults, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/what-if');
    await page.getByLabel('Window').selectOption('128,000 tokens');
    await page.getByLabel('Prices').selectOption('OpenAI, GPT-5.6 and later');
    await page.getByLabel('ctx: thrifty').uncheck();
    await page.getByRole('button', { name: 'Replay' }).click();
    const table = page.getByRole('region', { name: 'Policies' });
    await table.waitFor({ timeout: 200_000 });
    const run = new URL(page.url()).searchParams.get('run') ?? '';
    const params = { path: { session: 'demo', run } };
    const { data } = await up.client.GET('/v1/sessions/{session}/what-if/{run}', { params });
    expect(data).toMatchObject({ windowTokens: 128_000, price: 'openai-5.6', state: 'done' });
    const names = data?.policies?.map(({ policy }) => policy);
    expect(names).toEqual(['none', 'recipe', 'ctx', 'ctx-evidence']);
    for (const { policy, dollars, peakTokens, edits, editsInView } of data?.policies ?? []) {
      const cells = await table
        .getByRole('row')
        .filter({ has: page.getByText(policy, { exact: true }) })
        .getByRole('cell')
        .allTextContents();
      expect(cells[1]).toBe(`$${dollars.toFixed(2)}`);
      expect(cells[3]).toBe(peakTokens.toLocaleString('en'));
      expect(cells[7]).toBe(`${String(editsInView)} of ${String(edits)}`);
    }
    expect(await page.locator('polyline.mark').count()).toBe(4);
    await page.getByText('list of 20').waitFor();
    await page.reload();
    await table.waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 260_000);
}

function cancels(world: () => World): void {
  it('is started and cancelled by keyboard alone; what the server forgot is said', async () => {
    const { openPage, openView } = world();
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await openView(page, '/sessions/demo/what-if');
    for (const name of [
      'none: send everything',
      'classic: drop half of the messages at the limit',
    ]) {
      await page.getByLabel(name).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Replay' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The replay was cancelled.').waitFor();
    expect(await page.getByRole('button', { name: 'Replay' }).isEnabled()).toBe(true);
    await openView(page, '/sessions/demo/what-if?run=forgotten');
    await page.getByText('The server no longer keeps this replay.').waitFor();
    await page.context().close();
  }, 60_000);
}

/** Tests of the replay of a session under other policies. */
export function whatIfTests(world: () => World): void {
  comparesPolicies(world);
  cancels(world);
}
