import { expect, it } from 'vitest';
import { holdAnswers, type World } from './test-support/world.ts';

/** A session whose second call reads back a stored output, and whose provider lost the cache before the last request. */
function marked(): string {
  const usage = (input: number, cached: number): object => ({
    ...{ input_tokens: input - cached, cache_read_input_tokens: cached },
    ...{ cache_creation_input_tokens: 0, output_tokens: 5 },
  });
  const record = (place: number, type: string, message: object): string =>
    JSON.stringify({
      ...{ sessionId: 'marked', uuid: `m${place}`, type, message },
      parentUuid: place === 0 ? null : `m${place - 1}`,
      timestamp: `2026-01-01T00:00:0${place}.000Z`,
    });
  const asks = (content: unknown): object => ({ role: 'user', content });
  const calls = (id: string, name: string, told: object): object => ({
    ...{ role: 'assistant', model: 'claude-opus-4-5', id, usage: told },
    content: [{ type: 'tool_use', id, name, input: {} }],
  });
  const returns = (id: string): object =>
    asks([{ type: 'tool_result', tool_use_id: id, content: 'rows' }]);
  return [
    record(0, 'user', asks('find the rows')),
    record(1, 'assistant', calls('c1', 'Bash', usage(5000, 0))),
    record(2, 'user', returns('c1')),
    record(3, 'assistant', calls('c2', 'mcp__ctx__ctx_read_output', usage(5100, 5000))),
    record(4, 'user', returns('c2')),
    record(5, 'assistant', calls('c3', 'Bash', usage(5200, 5100))),
    record(6, 'user', returns('c3')),
    record(7, 'assistant', calls('c4', 'Bash', usage(5300, 600))),
  ].join('\n');
}

function marksEvents(world: () => World): void {
  it('marks a read-back and a cache that the provider reports as lost, in the scrubber and in the timeline', async () => {
    const { up, faults, openPage, openView } = world();
    const body = { name: 'marked.jsonl', content: marked(), format: 'claude-code' } as const;
    expect((await up.client.POST('/v1/import', { body })).response.status).toBe(200);
    const page = await openPage();
    await openView(page, '/sessions/marked/request/1');
    expect(await page.locator('.track .tone-read-back').count()).toBe(1);
    expect(await page.locator('.track .tone-miss').count()).toBe(1);
    const next = page.getByRole('button', { name: 'Next event' });
    await next.click();
    await page.getByText('Request 3 of 4').waitFor();
    await next.click();
    await page.getByText('Request 4 of 4').waitFor();
    await openView(page, '/sessions/marked/timeline');
    await page.getByText('after 1 read-back', { exact: true }).waitFor();
    expect(await page.locator('.chart .mark.tone-read-back').count()).toBe(1);
    expect(await page.locator('.chart .mark.tone-miss').count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);
}

function playsAsAnswered(world: () => World): void {
  it('plays no further than to what the server has answered', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/request/2');
    const release = await holdAnswers(page, /\/view\?/);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    // The next request was read ahead, the one after it is held back.
    await page.waitForURL(/\/request\/3$/);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 2000)));
    expect(new URL(page.url()).pathname).toMatch(/\/request\/3$/);
    release();
    await page.waitForURL(/\/request\/5$/);
    await page.context().close();
  }, 60_000);
}

/** Tests of what changed between a request and the one before it. */
export function changesTests(world: () => World): void {
  playsAsAnswered(world);
  marksEvents(world);
  it('says what a request changed, where it broke the cache and what that cost', async () => {
    const { up, faults, openPage, openView } = world();
    const params = { path: { session: 'demo' } };
    const { data } = await up.client.GET('/v1/sessions/{session}/requests', { params });
    const flushed = data?.requests.find(({ flush }) => flush !== undefined)?.number ?? 0;
    const page = await openPage();
    await openView(page, `/sessions/demo/changes/${flushed}`);
    await page.getByText(`Request ${flushed} of`).waitFor();
    const cache = page.getByRole('region', { name: 'Cache' });
    await cache.getByText('Both requests begin with the same').waitFor();
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
