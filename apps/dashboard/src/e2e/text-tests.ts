import { readFileSync } from 'node:fs';
import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { confirm, type World } from './test-support/world.ts';

const lines = Array.from({ length: 1287 }, (_, line) => `line ${String(line + 1)} of the list`);
const longLine = `${'x'.repeat(61_000)} its end`;

/** A session of one request whose outputs and messages are longer than any page. */
async function saveLong({ up }: World): Promise<void> {
  const ask = `start ${'word '.repeat(4000)} needle`;
  const messages: unknown[] = [{ role: 'user', content: [{ type: 'text', text: ask }] }];
  for (const [call, text] of [lines.join('\n'), longLine].entries()) {
    const id = `call_${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `list ${id}` } };
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: id, content: text };
    messages.push({ role: 'user', content: [result] });
  }
  const body = { name: 'long.json', content: JSON.stringify({ id: 'long', messages }) };
  const { response } = await up.client.POST('/v1/import', { body });
  expect(response.status).toBe(200);
}

async function outputAt({ up }: World, place: number): Promise<string> {
  const query = { session: 'long' };
  const { data } = await up.client.GET('/v1/outputs', { params: { query } });
  return `/outputs/${data?.outputs[place]?.id ?? ''}`;
}

async function scrollToEnd(page: Page): Promise<void> {
  const region = page.getByRole('region', { name: 'Result' });
  // Rows say their heights as they come into sight.
  for (let turn = 0; turn < 20; turn += 1) {
    await region.evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.waitForTimeout(30);
  }
}

/** Tests that every text can be read whole. */
export function textTests(world: () => World): void {
  it('shows the last line of a long output and the end of a long line', async () => {
    await saveLong(world());
    const { faults, openPage, openView } = world();
    const page = await openPage();
    await openView(page, await outputAt(world(), 0));
    await page.getByText('1,287 lines', { exact: true }).waitFor();
    await scrollToEnd(page);
    await page.getByText('line 1287 of the list').waitFor();
    await page.getByLabel('Filter lines of Result').fill('line 1000 of');
    await page.getByText('1 of 1,287 lines').waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect(readFileSync(await (await waiting).path(), 'utf8')).toBe(lines.join('\n'));
    await openView(page, await outputAt(world(), 1));
    await page.getByText('1 line', { exact: true }).waitFor();
    await scrollToEnd(page);
    await page.getByText('its end').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 120_000);

  it('finds a word at the end of a long piece of a request, and shows the piece whole', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/long/request/1');
    await page.getByLabel('Find in this request').fill('needle');
    await page.getByText(/^1 of \d+ pieces?$/).waitFor();
    await page.locator('.segment-head[aria-expanded]').first().click();
    const region = page.getByRole('region', { name: 'What was shown' });
    await region.waitFor();
    await region.evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await region.getByText('needle').waitFor();
    await page.context().close();
  }, 60_000);
}

/** Ids of the agent's items that were restored from a request. */
async function restoredItems({ up }: World): Promise<readonly string[]> {
  const params = { path: { agent: 'demo-agent' }, query: { kind: 'RESTORED', limit: 200 } };
  const { data } = await up.client.GET('/v1/agents/{agent}/items', { params });
  return data?.items.map(({ id }) => id) ?? [];
}

/** How long the pieces of a request were before anything left it. */
async function lengthsAt({ up }: World, at: number): Promise<readonly number[]> {
  const params = { path: { session: 'demo' }, query: { at, characters: 1_000_000 } };
  const { data } = await up.client.GET('/v1/sessions/{session}/view', { params });
  return data?.segments.map(({ original = '' }) => original.length) ?? [];
}

/** Tests that what left a request comes back whole. */
export function restoreTests(world: () => World): void {
  it('restores a piece whole, says when its agent sees it, and takes it back', async () => {
    const { up, openPage, openView } = world();
    const params = { path: { session: 'demo' } };
    const { data } = await up.client.GET('/v1/sessions/{session}/requests', { params });
    const flush = data?.requests.find((one) => one.flush !== undefined)?.number ?? 0;
    const before = await restoredItems(world());
    const page = await openPage();
    await openView(page, `/sessions/demo/flush/${flush}`);
    await page.locator('.piece summary').first().click();
    await confirm(page, 'Restore as item', 'Restore');
    await page.getByText('its agent sees it the next time it loads its items').waitFor();
    const [item = ''] = (await restoredItems(world())).filter((id) => !before.includes(id));
    const path = { agent: 'demo-agent', item };
    const saved = await up.client.GET('/v1/agents/{agent}/items/{item}', { params: { path } });
    const kept = saved.data?.item.content?.length ?? 0;
    const lengths = await lengthsAt(world(), flush);
    expect([kept > 4001, lengths.includes(kept)]).toEqual([true, true]);
    await confirm(page, 'Undo', 'Delete');
    await page.getByRole('button', { name: 'Restore as item' }).waitFor();
    expect(await restoredItems(world())).toEqual(before);
    await page.context().close();
  }, 60_000);
}

/** Tests that what cannot be restored says why, and what to do instead. */
export function refusedRestoreTests(world: () => World): void {
  it('says of a piece that cannot become an item why, and what to do instead', async () => {
    await saveLong(world());
    const { up, openPage, openView } = world();
    const params = { path: { session: 'too-large' } };
    const use = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'dump' } };
    // As JSON it takes more bytes than an item may have.
    const content = '"a row"\n'.repeat(140_000);
    const messages = [
      { role: 'user', content: 'dump it' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call', content }] },
    ];
    const body = { agentId: 'demo-agent', from: 0, windowTokens: 200_000, messages };
    const { error } = await up.client.POST('/v1/sessions/{session}/prepare', { params, body });
    expect(error).toBeUndefined();
    const page = await openPage();
    await openView(page, '/sessions/too-large/conversation');
    await page.locator('.talk-result summary').first().click();
    await page.getByText('1,120,000 bytes; at most 1,048,576').waitFor();
    await openView(page, '/sessions/long/conversation?as=default');
    await page.locator('.is-out .talk-result summary').first().click();
    await page.getByText('This session has no agent that keeps items').waitFor();
    await page.context().close();
  }, 120_000);
}

/** A session of 3,000 messages. */
function longSession(): string {
  const messages: unknown[] = [{ role: 'user', content: 'find the rows' }];
  while (messages.length < 2999) {
    const call = String(messages.length);
    const use = { type: 'tool_use', id: `c${call}`, name: 'Bash', input: { call } };
    const content = `${'a row '.repeat(50)}of ${call}`;
    const result = { type: 'tool_result', tool_use_id: use.id, content };
    messages.push({ role: 'assistant', content: [use] }, { role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: 'found them' });
  return JSON.stringify({ id: 'steps', messages });
}

function slowSteps(world: () => World): void {
  it('loads for ten slow steps through 3,000 messages only what they change, and shows every piece', async () => {
    const { up, openPage, openView } = world();
    const body = { name: 'steps.json', content: longSession() };
    expect((await up.client.POST('/v1/import', { body })).response.status).toBe(200);
    const page = await openPage();
    await openView(page, '/sessions/steps/request/1000');
    await page.getByText('1,999 of 1,999 pieces', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    let bytes = 0;
    const reading: Promise<void>[] = [];
    const count = (answer: Response): void => {
      const read = async (): Promise<void> => {
        bytes += (await answer.body()).length;
      };
      reading.push(read());
    };
    page.on('response', count);
    await page.getByLabel('Request', { exact: true }).focus();
    for (let step = 1; step <= 10; step += 1) {
      await page.keyboard.press('ArrowRight');
      const pieces = (1999 + 2 * step).toLocaleString('en');
      await page.getByText(`${pieces} of ${pieces} pieces`, { exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    // What comes after the last step is not counted, nor read from a page that closes.
    page.off('response', count);
    await Promise.all(reading);
    console.log('ten steps through 3,000 messages:', bytes, 'bytes');
    // The first step was read ahead, and the last is still reading ahead.
    expect(reading.length).toBeGreaterThanOrEqual(9);
    expect(bytes).toBeLessThan(100_000);
    await page.context().close();
  }, 120_000);
}

/** Tests that the time machine keeps up with the keys. */
export function stepTests(world: () => World): void {
  slowSteps(world);
  it('moves 20 steps for 20 presses, leaves no history behind, and asks once for each view', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/request/5');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/view\?/.test(request.url())) asked.push(request.url());
    });
    const entries = await page.evaluate(() => history.length);
    await page.getByLabel('Request', { exact: true }).focus();
    for (let press = 0; press < 20; press += 1) await page.keyboard.press('ArrowRight');
    await page.waitForURL(/\/request\/25$/);
    await page.getByText(/^Request 25 of \d+$/).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => history.length)).toBe(entries);
    expect([asked.length <= 22, new Set(asked).size]).toEqual([true, asked.length]);
    await page.context().close();
  }, 60_000);
}
