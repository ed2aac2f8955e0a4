import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { ended, provider, withAgent } from '../../../../cli/src/test-support/agent-runs.ts';
import { expectNoShift, noteShifts } from '../live-tests.ts';
import type { World } from '../test-support/world.ts';

const rowsOf = (length: number): string =>
  Array.from({ length }, (_, row) => `row ${String(row)} of the build`).join('\n');

/** An agent that sends two requests of one conversation, the second with a large result. `before`: what it waits for before that. */
function agent(session: string, before = '', rows = 400): string {
  const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'make' } };
  const messages = [
    { role: 'user', content: `mend the ${session}` },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: rowsOf(rows) }] },
  ];
  const headers = { 'content-type': 'application/json', 'x-claude-code-session-id': session };
  return `
    const all = ${JSON.stringify(messages)};
    for (const messages of [all.slice(0, 1), all]) {
      if (messages === all) { ${before} }
      const more = { model: 'claude-sonnet-4-5', max_tokens: 9, tools: [{ name: 'Bash' }] };
      const body = JSON.stringify({ ...more, messages });
      const url = process.env.ANTHROPIC_BASE_URL + '/v1/messages';
      await (await fetch(url, { method: 'POST', headers: ${JSON.stringify(headers)}, body })).text();
    }`;
}

const runs = [
  ['watched-build', ['--watch'], 'This session was only watched.'],
  ['held-out-build', ['--holdout', '1'], 'This session was held out for comparison.'],
] as const;

/** Tests of what the page shows for sessions of `ctx run`. */
export function proxiedTests(world: () => World): void {
  afterAll(() => {
    for (const end of ended.splice(0)) end();
  });
  it.each(runs)(
    'shows a session of ctx run as it comes, and that nothing was shaped: %s',
    async (name, flags, note) => {
      const { up, faults, openPage, openView } = world();
      const page = await openPage();
      await openView(page, '/sessions');
      const { url } = await provider();
      const { home, env } = withAgent(`(async () => {${agent(name)}})();`, url);
      const words = ['run', 'claude', ...flags, '--store', up.storeUrl];
      const { exitCode, stderr } = await home.run(words, { env });
      expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/\b2 requests/)]);
      await page.getByRole('link', { name: `mend the ${name}` }).click();
      await page.getByText(note).waitFor();
      await page.getByText('the provider counted 2,400 input tokens in total').waitFor();
      expect(await page.locator('.figures').getByText('Requests').count()).toBe(0);
      const session = new URL(page.url()).pathname;
      for (const view of ['/timeline', '/changes', '/heat']) {
        await openView(page, session + view);
        await page.getByRole('heading', { name: 'No requests recorded' }).waitFor();
      }
      const id = session.split('/').at(-1) ?? '';
      const shared = await up.client.GET('/v1/sessions/{session}/share', {
        ...{ params: { path: { session: id } }, parseAs: 'text' },
      });
      expect(shared.data).toContain('as its own agent sent it');
      const top = await home.run(['top', '--once', id, '--store', up.storeUrl]);
      expect(top.stdout).toContain('passed on unchanged by the proxy');
      await page.getByRole('link', { name: 'See what ctx would have saved' }).click();
      await page.getByRole('button', { name: 'Replay', exact: true }).click();
      await page.getByText('ctx-thrifty').first().waitFor();
      expect(faults).toEqual([]);
      await page.context().close();
    },
    90_000,
  );
  showsMoney(world);
  showsOneLedger(world);
}

/** Waits for a file of this name in the agent's folder for temporary files. */
const waitForFile = `
  const gate = require('node:path').join(process.env.TMPDIR, 'gate');
  while (!require('node:fs').existsSync(gate)) await new Promise((go) => setTimeout(go, 20));`;

/** Where the chart, the table of costs, and the list of requests stand. */
function placesOf(page: Page): Promise<unknown[]> {
  const parts = ['.chart', '.costs', '.costs th:nth-child(6)', '.virtual-list'];
  return Promise.all(parts.map((part) => page.locator(part).first().boundingBox()));
}

/** Height of the tallest cell in the list of requests, px: what is taller than its row moves the others. */
async function tallestCell(page: Page): Promise<number> {
  const cells = page.locator('.request-row:not(.list-head) > *');
  const heights = await cells.evaluateAll((all) => all.map((one) => one.clientHeight));
  return Math.max(...heights);
}

function showsMoney(world: () => World): void {
  it.each([
    ['shaped-build', { width: 1280, height: 1800 }],
    ['shaped-phone', { width: 390, height: 1800 }],
  ])(
    'shows on an open page what each request of ctx run costs as it comes, and nothing moves: %s',
    async (name, viewport) => {
      const { up, faults, openPage, openView } = world();
      const page = await openPage({ viewport });
      await openView(page, '/sessions');
      const { url } = await provider();
      const { home, env, temporary } = withAgent(
        `(async () => {${agent(name, waitForFile)}})();`,
        url,
      );
      const run = home.run(['run', 'claude', '--store', up.storeUrl], { env });
      await page.getByRole('link', { name: `mend the ${name}` }).click();
      await openView(page, `${new URL(page.url()).pathname}/timeline`);
      const costs = page.getByRole('region', { name: 'Cost by model' });
      await costs.getByRole('cell', { name: 'claude-sonnet-4-5' }).waitFor();
      const origin = 'Input: reported. From cache: estimated. Output: reported.';
      await costs.getByRole('cell', { name: '1,200', exact: true }).waitFor();
      await page.getByText(origin).waitFor();
      const [money, places] = [await costs.innerText(), await placesOf(page)];
      await noteShifts(page);
      writeFileSync(path.join(temporary, 'gate'), '');
      await costs.getByRole('cell', { name: '2,400', exact: true }).waitFor();
      await page.getByText(origin).waitFor();
      expect(await costs.innerText()).not.toBe(money);
      expect(await placesOf(page)).toEqual(places);
      if (name === 'shaped-build') expect(await tallestCell(page)).toBeLessThanOrEqual(38);
      expect((await run).exitCode).toBe(0);
      expect(faults).toEqual([]);
      await expectNoShift([page]);
    },
    90_000,
  );
}

const numberIn = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));

/** Sums up the numbers in a column of a table. */
async function sumOf(page: Page, cells: string): Promise<number> {
  const texts = await page.locator(cells).allTextContents();
  return texts.reduce((sum, text) => sum + numberIn(text || '0'), 0);
}

function showsOneLedger(world: () => World): void {
  it('says one size of a request in every view, as its provider counted it, and its parts add up', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    const { url } = await provider();
    const { home, env } = withAgent(`(async () => {${agent('one-ledger', '', 4000)}})();`, url);
    await home.run(['run', 'claude', '--store', up.storeUrl], { env });
    await openView(page, '/sessions');
    await page.getByRole('link', { name: 'mend the one-ledger' }).click();
    await page.locator('.figures').waitFor();
    const session = new URL(page.url()).pathname;
    const window = numberIn(await page.locator('.figures strong').first().innerText());
    const parts = 'table:has-text("Part") tr:not(:has-text("free")):not(:has-text("reserved"))';
    expect(await sumOf(page, `${parts} td:nth-child(2)`)).toBe(window);
    await openView(page, `${session}/left`);
    const [received = 0, inView = 0, removed = 0] = (
      await page.locator('.ledger td:nth-child(3)').allTextContents()
    ).map(numberIn);
    expect(await sumOf(page, '.ledger tr:has(.reason) td:nth-child(3)')).toBe(removed);
    expect([inView + removed, removed > 0]).toEqual([received, true]);
    const last = page.locator('.ledger tr', { hasText: 'In the window' });
    await last.getByText(window.toLocaleString('en'), { exact: true }).waitFor();
    // The provider of the test says 1,200 of each.
    await openView(page, `${session}/timeline`);
    await page.locator('.request-row').getByText('1,200', { exact: true }).first().waitFor();
    await openView(page, `${session}/request/2`);
    await page.getByText('1,200 of 192,000 tokens').waitFor();
    await openView(page, `${session}/changes/2`);
    await page.getByRole('heading', { name: 'Request 2: 1,200 → 1,200 tokens' }).waitFor();
    const sums = '.card:has-text("Unchanged") tbody tr';
    expect(Math.abs((await sumOf(page, `${sums} td:nth-child(4)`)) - 1200)).toBeLessThan(3);
    await page.context().close();
  }, 90_000);
}
