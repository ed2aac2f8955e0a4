import { expect, it } from 'vitest';
import type { World } from './test-support/world.ts';

const lines = Array.from({ length: 300 }, (_, row) => `const value${String(row)} = 1;`).join('\n');

/** A session that reads one file as a whole so often. */
function transcript(id: string, reads: number): string {
  const messages: unknown[] = [{ role: 'user', content: 'look at the big file' }];
  for (let read = 0; read < reads; read += 1) {
    const call = `call_${String(read)}`;
    const use = { type: 'tool_use', id: call, name: 'Read', input: { file_path: '/w/big.ts' } };
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: call, content: lines };
    messages.push({ role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'it holds constants' }] });
  return JSON.stringify({ id, messages });
}

function hintsLead(world: () => World): void {
  it('hints at a file that was read again and again, leads to its heat, and hints at nothing where it was read once', async () => {
    const { up, faults, openPage, openView } = world();
    for (const [id, reads] of [
      ['rereads', 4],
      ['reads', 1],
    ] as const) {
      const body = { name: `${id}.json`, content: transcript(id, reads) };
      await up.client.POST('/v1/import', { body });
    }
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await openView(page, '/sessions/rereads?as=recorded');
    const hints = page.getByRole('region', { name: 'Hints' });
    await hints.getByText('/w/big.ts was read in full 4 times, 3 times unchanged').waitFor();
    await hints.getByRole('link', { name: 'Show its heat' }).focus();
    await page.keyboard.press('Enter');
    const row = page.getByRole('region', { name: 'File' }).getByRole('row').nth(1);
    await row.getByText('/w/big.ts').waitFor();
    await openView(page, '/sessions/reads?as=recorded');
    expect(await hints.count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 200_000);
}

/** The answer of a call. A server that is busy says so for a moment, as the page knows: it is asked again. */
async function answerOf<T>(call: () => Promise<{ data?: T; response: Response }>): Promise<T> {
  for (;;) {
    const { data, response } = await call();
    if (data !== undefined) return data;
    expect([429, 503]).toContain(response.status);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function sortsHeat(world: () => World): void {
  it('shows what each tool and file took as the API says it, sorted by any column, by keyboard', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/heat');
    const params = { path: { session: 'demo' } };
    const data = await answerOf(() => up.client.GET('/v1/sessions/{session}/heat', { params }));
    const table = page.getByRole('region', { name: 'Tool' });
    const names = async (): Promise<readonly string[]> =>
      table.locator('tbody tr td:first-child').allTextContents();
    expect(await names()).toEqual(data.tools.map(({ name }) => name));
    const [first] = data.tools;
    const cells = await table.locator('tbody tr').first().getByRole('cell').allTextContents();
    expect(cells[1]).toBe(Math.round(first?.carriedTokens ?? 0).toLocaleString('en'));
    expect(cells[4]).toBe(first?.calls.toLocaleString('en'));
    const map = page.getByRole('img', { name: 'Tools by tokens carried, as in the table' });
    const areas = await map
      .locator('.area:not(:has(.area))')
      .evaluateAll((all) =>
        all.map((area) => area.getBoundingClientRect().width * area.getBoundingClientRect().height),
      );
    const whole = areas.reduce((sum, area) => sum + area, 0);
    const carried = data.tools.map(({ carriedTokens }) => carriedTokens);
    const all = carried.reduce((sum, tokens) => sum + tokens, 0);
    expect(areas).toHaveLength(carried.length);
    for (const [place, area] of areas.entries()) {
      expect(area / whole).toBeCloseTo((carried[place] ?? 0) / all, 1);
    }
    await table.getByRole('button', { name: 'Tool' }).focus();
    await page.keyboard.press('Enter');
    expect(await names()).toEqual((await names()).toSorted((a, b) => a.localeCompare(b)));
    await table.locator('th[aria-sort="ascending"]').getByText('Tool').waitFor();
    await page.context().close();
  }, 200_000);
}

function saysCost(world: () => World): void {
  it('says what a session cost by model, in US dollars, and where the figures come from', async () => {
    const { up, faults, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/timeline');
    const params = { path: { session: 'demo' } };
    const data = await answerOf(() => up.client.GET('/v1/sessions/{session}/cost', { params }));
    const cost = page.getByRole('region', { name: 'Cost by model' });
    await cost.getByText('Cost in US dollars').waitFor();
    const [first] = data.models;
    const cells = await cost.locator('tbody tr').first().getByRole('cell').allTextContents();
    expect(cells[2]).toBe(`$${(first?.inputDollars ?? 0).toFixed(2)}`);
    expect(cells[7]).toBe(Math.round(first?.outputTokens ?? 0).toLocaleString('en'));
    await page.getByText(`list of ${String(first?.pricesDate)}`).waitFor();
    await page.getByText(Math.round(data.everythingTokens).toLocaleString('en')).waitFor();
    await page.getByRole('link', { name: 'Compare with other policies' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Replay' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 200_000);
}

function addsUpCosts(world: () => World): void {
  it('adds up in Statistics what all sessions cost, and leads to the most expensive one', async () => {
    const { up, faults, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/statistics');
    const { costs } = await answerOf(() => up.client.GET('/v1/costs'));
    const dollars = costs
      .flatMap(({ cost }) => cost?.models ?? [])
      .reduce((sum, { inputDollars, outputDollars }) => sum + inputDollars + outputDollars, 0);
    const all = page.getByRole('region', { name: 'Cost of all sessions' });
    await all
      .getByText(`$${dollars.toFixed(2)}`)
      .first()
      .waitFor();
    await all.getByText(/sessions? with requests\.$/).waitFor();
    const list = page.getByRole('region', { name: 'Most expensive sessions' });
    await list.getByRole('link').first().click();
    await page.getByRole('region', { name: 'Cost by model' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 200_000);
}

function ordersSessions(world: () => World): void {
  it('orders all sessions by cost and by fill, and groups them by project', async () => {
    const { up, faults, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions');
    await page.getByLabel('Order').selectOption('most expensive first');
    await page.waitForURL(/sort=cost/);
    await page.getByText(/^\d+ sessions$/).waitFor();
    const { costs } = await answerOf(() => up.client.GET('/v1/costs'));
    const dollars = (await page.locator('main tbody .tag').allTextContents()).map((text) =>
      text.startsWith('$') ? Number(text.slice(1)) : 0,
    );
    expect(dollars).toHaveLength(costs.length);
    expect(dollars).toEqual(dollars.toSorted((one, other) => other - one));
    expect(dollars[0]).toBeGreaterThan(0);
    await page.getByLabel('Group').selectOption('by project');
    await page.getByRole('columnheader', { name: /demo-agent \d+ sessions?, \$/ }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 200_000);

  it('shows in a sorted list what is imported while it is open, with its fill, in one answer for all rows', async () => {
    const { up, faults, openPage, openView } = world();
    const page = await openPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await openView(page, '/sessions?sort=cost');
    await page.getByText(/^\d+ sessions$/).waitFor();
    const messages = [
      { role: 'user', content: 'tidy the lists' },
      { role: 'assistant', content: [{ type: 'text', text: 'they are tidy' }] },
    ];
    const content = JSON.stringify({ id: 'sorted-in', messages });
    await up.client.POST('/v1/import', { body: { name: 'sorted-in.json', content } });
    const row = page.getByRole('row', { name: /sorted-in/ });
    await row.waitFor({ timeout: 60_000 });
    await row.getByText(/%$/).waitFor();
    // The list by time, which a page begins with, asks for each row; this session was never in it.
    expect(asked).not.toContain('/v1/sessions/sorted-in/use');
    expect(faults).toEqual([]);
    await page.context().close();
  }, 200_000);
}

/** Tests of hints, heat and cost. */
export function analysisTests(world: () => World): void {
  hintsLead(world);
  sortsHeat(world);
  saysCost(world);
  addsUpCosts(world);
  ordersSessions(world);
}
