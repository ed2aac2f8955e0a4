import { expect, it } from 'vitest';
import { holdAnswers, type World } from './test-support/world.ts';

const talk = {
  id: 'told',
  messages: [
    { role: 'user', content: 'find the lost key' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'it may be under the mat', signature: 'abc' },
        { type: 'text', text: 'I look under the mat.' },
        { type: 'tool_use', id: 'c1', name: 'Look', input: { place: 'under the mat' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a key of brass' }],
    },
    {
      role: 'assistant',
      content: [{ type: 'text', text: `Found. ${'It shines. '.repeat(300)}END` }],
    },
  ],
};

function readsIt(world: () => World): void {
  it('reads a session: turns, folded calls, results and thinking, each text whole on demand', async () => {
    const { up, faults, openPage, openView } = world();
    const body = { name: 'told.json', content: JSON.stringify(talk) };
    await up.client.POST('/v1/import', { body });
    const page = await openPage();
    await openView(page, '/sessions/told/conversation');
    const pieces = page.locator('article.talk');
    await pieces.filter({ hasText: 'find the lost key' }).waitFor();
    const folded = pieces.filter({ hasText: 'thinking' }).locator('summary');
    await folded.click();
    expect(await page.locator('article pre').first().textContent()).toContain('under the mat');
    await pieces.filter({ hasText: 'calls' }).getByText('Look', { exact: true }).waitFor();
    await pieces.filter({ hasText: 'returned by' }).locator('summary').click();
    await pieces
      .filter({ hasText: 'returned by' })
      .locator('pre')
      .getByText('a key of brass')
      .waitFor();
    expect(await page.getByText('END').count()).toBe(0);
    await page.getByRole('button', { name: 'Read all' }).click();
    await page.locator('article pre').getByText('END').waitFor();
    await page.getByRole('link', { name: 'answers request 2' }).click();
    await page.getByText('Request 2 of 2').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);
}

function showsWhatIsOut(world: () => World): void {
  it('shows what is out of the window grey in its place, why, and the way back; jumps to a request', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/conversation');
    const out = page.locator('.is-out').first();
    await out.getByText('In the window:').waitFor();
    await out.getByRole('link', { name: 'Show it in the request' }).waitFor();
    const params = { path: { session: 'demo' } };
    const { data } = await up.client.GET('/v1/sessions/{session}/requests', { params });
    // The last one may wait for its answer: other tests add requests to the session.
    const answered = String(Math.floor((data?.total ?? 0) / 2));
    await page.getByLabel('Go to request').fill(answered);
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: `answers request ${answered}` })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(answered);
    await page.getByRole('button', { name: 'From the beginning' }).click();
    await page
      .getByRole('link', { name: /request 1$/ })
      .first()
      .waitFor();
    await page.context().close();
  }, 60_000);
}

function waitsForJumps(world: () => World): void {
  it('shows during a jump that it loads, and no text of the place before', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/conversation');
    const pieces = page.locator('article.talk');
    await pieces.first().waitFor();
    const release = await holdAnswers(page, /[?&]message=/);
    await page.getByLabel('Go to request').fill('20');
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await pieces.count()).toBe(0);
    release();
    await pieces.first().waitFor();
    await page.context().close();
  }, 60_000);
}

/** Tests of the session as one reads it. */
export function conversationTests(world: () => World): void {
  waitsForJumps(world);
  readsIt(world);
  showsWhatIsOut(world);
}
