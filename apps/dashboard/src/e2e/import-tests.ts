import { expect, it } from 'vitest';
import { countText } from '../parts/text/format.ts';
import { shellWords } from '../test-support/shell-words.ts';
import type { World } from './test-support/world.ts';
import { expectLines, linesOf } from './view-tests.ts';

const rows = (of: number): string =>
  Array.from({ length: 450 }, (_, row) => `row ${String(row)} of list ${String(of)}`).join('\n');

/** A recorded session of so many calls. */
function transcript(calls: number, name = 'recorded'): string {
  const messages: unknown[] = [{ role: 'user', content: 'compare the lists' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `list ${id}` } };
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: id, content: rows(call) };
    messages.push({ role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'they are alike' }] });
  return JSON.stringify({ id: name, messages });
}

function replays(world: () => World): void {
  it('replays a large imported session with progress, cancels that when it is left, and keeps what was replayed', async () => {
    const { up, faults, openPage, openView } = world();
    const content = transcript(400, 'large');
    const imported = await up.client.POST('/v1/import', { body: { name: 'large.json', content } });
    expect(imported.response.status).toBe(200);
    const page = await openPage();
    await openView(page, '/sessions/large/timeline');
    const left = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByLabel('Show it').selectOption('default');
    await page.getByRole('region', { name: 'Replay' }).waitFor();
    await page.getByLabel('Show it').selectOption('recorded');
    const replay = new URL((await left).url()).pathname.split('/').at(-1) ?? '';
    await page.locator('.request-row').first().waitFor();
    const params = { path: { session: 'large', replay } };
    const known = await up.client.GET('/v1/sessions/{session}/replays/{replay}', { params });
    expect(known.response.status).toBe(404);
    await page.getByLabel('Show it').selectOption('default');
    await page.getByText(/Replaying request [\d,]+ of 401 …/).waitFor();
    await page.locator('.request-row').first().waitFor({ timeout: 60_000 });
    await page.getByText('No agent sent these requests').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.reload();
    await page.locator('.request-row').first().waitFor();
    expect(asked.filter((one) => one.includes('/replays'))).toHaveLength(1);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 180_000);
}

/** A session that its agent compacted: before that it made more requests than `ctx why` replays. */
function compacted(id: string): string {
  const record = (place: number, type: string, more: object): string =>
    JSON.stringify({
      ...{ sessionId: id, uuid: `m${place}`, type, timestamp: `2026-01-01T00:00:0${place}.000Z` },
      ...{ parentUuid: place === 0 ? null : `m${place - 1}`, ...more },
    });
  const says = (role: string, content: unknown) => ({ message: { role, content } });
  const boundary = { subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } };
  return [
    record(0, 'user', says('user', 'find the rows')),
    record(1, 'assistant', says('assistant', 'where?')),
    record(2, 'user', says('user', 'in the file')),
    record(3, 'assistant', says('assistant', 'I look')),
    record(4, 'system', boundary),
    record(5, 'user', { isCompactSummary: true, ...says('user', 'Rows are looked for.') }),
    record(6, 'assistant', says('assistant', 'found them')),
    record(7, 'user', says('user', 'thanks')),
    record(8, 'assistant', says('assistant', 'done')),
  ].join('\n');
}

function offersLines(world: () => World): void {
  it.each(['compacted', '-odd name'])(
    'offers lines that run for an import, as recorded and as ctx would have sent it: %s',
    async (id) => {
      const { up, openPage, openView } = world();
      const body = { name: 'one.jsonl', content: compacted(id), format: 'claude-code' } as const;
      expect((await up.client.POST('/v1/import', { body })).response.status).toBe(200);
      const page = await openPage();
      const at = `/sessions/${encodeURIComponent(id)}`;
      const lines = new Set<string>();
      for (const view of ['', '/timeline', '/request/3', '/changes/3', '/left', '/outputs']) {
        await openView(page, at + view);
        for (const line of await linesOf(page)) lines.add(line);
      }
      expect([...lines].some((line) => line.startsWith('ctx status'))).toBe(true);
      expect([...lines].some((line) => line.startsWith('ctx why'))).toBe(false);
      await openView(page, `${at}/request/2?as=thrifty`);
      const why = (await linesOf(page)).filter((line) => line.startsWith('ctx why'));
      expect(why.join()).toContain('--at 2 --policy ctx-thrifty');
      await expectLines(up, [...lines, ...why]);
      await page.context().close();
    },
    120_000,
  );
}

/** A session of a model with a window of 400,000 tokens, whose one result is shortened as it arrives. */
function ofGpt5(id: string): string {
  const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'list' } };
  const result = { type: 'tool_result', tool_use_id: 'c1', content: rows(1).repeat(9) };
  const said = [
    ['user', 'list the rows'],
    ['assistant', [call]],
    ['user', [result]],
    ['assistant', [{ type: 'text', text: 'listed' }]],
  ] as const;
  return said
    .map(([role, content], place) =>
      JSON.stringify({
        ...{ sessionId: id, uuid: `m${place}`, type: role },
        ...{ timestamp: `2026-01-01T00:00:0${place}.000Z` },
        parentUuid: place === 0 ? null : `m${place - 1}`,
        message: { role, content, ...(role === 'assistant' ? { model: 'gpt-5' } : {}) },
      }),
    )
    .join('\n');
}

function answersAlike(world: () => World): void {
  it('shows of a request that ctx would have sent what the line beside it prints', async () => {
    const { up, openPage, openView } = world();
    const body = { name: 'alike.jsonl', content: ofGpt5('alike'), format: 'claude-code' } as const;
    expect((await up.client.POST('/v1/import', { body })).response.status).toBe(200);
    const page = await openPage();
    await openView(page, '/sessions/alike/request/2?as=default');
    const [line = ''] = (await linesOf(page)).filter((one) => one.startsWith('ctx why'));
    const [, ...words] = shellWords(line);
    const { stdout } = await up.home.run([...words, '--json']);
    const {
      tokens = 0,
      tokensWhole,
      limitTokens = 0,
    } = JSON.parse(stdout) as {
      [name: string]: number;
    };
    expect(tokens).toBeLessThan((tokensWhole ?? 0) / 2);
    expect(limitTokens).toBe(392_000);
    const text = `${countText(tokens)} of ${countText(limitTokens)} tokens`;
    expect(await page.getByText(text).count()).toBe(1);
    await page.context().close();
  }, 60_000);
}

function tellsApart(world: () => World): void {
  it('shows the beginning of the id of each session, however long its title is', async () => {
    const { up, openPage, openView } = world();
    const task = 'We are solving the following issue within our repository, as all of you know. ';
    for (const id of ['first-of-two', 'other-of-two']) {
      const content = JSON.stringify({
        id,
        messages: [
          { role: 'user', content: task.repeat(4) },
          { role: 'assistant', content: 'solved' },
        ],
      });
      await up.client.POST('/v1/import', { body: { name: `${id}.json`, content } });
    }
    const page = await openPage();
    await openView(page, '/sessions');
    for (const id of ['first-of-two', 'other-of-two']) {
      const shown = page.getByRole('row').getByText(id, { exact: true });
      const [own, row] = [
        await shown.boundingBox(),
        await shown.locator('xpath=../..').boundingBox(),
      ];
      expect(own?.width).toBeGreaterThan(60);
      expect((own?.x ?? 0) + 60).toBeLessThan((row?.x ?? 0) + (row?.width ?? 0));
    }
    await page.context().close();
  }, 60_000);
}

/** Tests of what the page shows for an imported session. */
export function importTests(world: () => World): void {
  replays(world);
  offersLines(world);
  answersAlike(world);
  tellsApart(world);
  it('shows an imported session on the open page, with its requests and every text', async () => {
    const { up, faults, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions');
    const body = { name: 'recorded.json', content: transcript(5) };
    await up.client.POST('/v1/import', { body });
    const row = page.getByRole('row').filter({ hasText: 'compare the lists' });
    await row.waitFor();
    await row.getByText('% of limit').or(row.locator('.bar')).first().waitFor();
    await openView(page, '/sessions/recorded');
    await page.getByText('This session was imported.').waitFor();
    expect(await page.getByText('No requests yet').count()).toBe(0);
    await openView(page, '/sessions/recorded/timeline');
    expect(await page.locator('.request-row .row-link').count()).toBe(6);
    await openView(page, '/sessions/recorded/request/6?segment=6');
    await page.locator('.text-row').getByText('row 0 of list 2', { exact: true }).waitFor();
    await openView(page, '/sessions/recorded/request/6?as=default');
    const heads = page.locator('.segment-head').filter({ hasText: 'row 0 of list 2' });
    await heads.first().click();
    const text = await page.locator('.segment pre').first().textContent();
    expect(text?.replace(/\n$/, '')).toContain('row 0 of list 2');
    await openView(page, '/sessions/recorded/timeline');
    await page.getByLabel('Show it').selectOption('recorded');
    await page.getByText('all sizes are estimated').waitFor();
    await page.getByRole('link', { name: 'Removed from context' }).click();
    await page.getByText('Nothing has been removed').waitFor();
    expect(new URL(page.url()).searchParams.get('as')).toBe('recorded');
    await page.getByLabel('Show it').selectOption('thrifty');
    await page.getByRole('region', { name: 'Ledger' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 120_000);
}
