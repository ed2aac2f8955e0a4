import { expect, it } from 'vitest';
import { confirm, type World, waitForLive } from './test-support/world.ts';

function asksFirst(world: () => World): void {
  it('takes a compaction back', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/compaction/0');
    await confirm(page, 'Undo', 'Undo');
    const params = { path: { session: 'demo' } };
    const { data } = await up.client.GET('/v1/sessions/{session}/compactions', { params });
    expect(data?.compactions[0]?.state).toBe('undone');
    await page.context().close();
  }, 60_000);

  it('pins, deletes, forks and restores, each after a question', async () => {
    const { up, openPage, openView } = world();
    const store = await up.other.store('default');
    const { item } = await store.items.save({ agentId: 'ada', kind: 'TASK', content: 'Port it' });
    const { id } = item;
    const path = { agent: 'ada', item: id };
    const read = () => up.client.GET('/v1/agents/{agent}/items/{item}', { params: { path } });
    const page = await openPage();
    await openView(page, `/agents/ada?item=${id}`);
    // Who says no changes nothing.
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await read()).data?.item.pinned).toBe(false);
    await confirm(page, 'Pin', 'Pin');
    await page.getByRole('button', { name: 'Unpin', exact: true }).waitFor();
    expect((await read()).data?.item.pinned).toBe(true);
    await confirm(page, 'Delete', 'Delete');
    await page.getByText('This agent has no items').waitFor();
    expect((await read()).response.status).toBe(404);
    await openView(page, '/agents/demo-agent/checkpoints');
    await confirm(page, 'Fork', 'Fork');
    const { data } = await up.client.GET('/v1/sessions', { params: {} });
    expect(data?.sessions.map((session) => session.id)).toContain('demo-fork');
    await confirm(page, 'Restore', 'Restore');
    await page.getByText('#1', { exact: true }).waitFor();
    await page.context().close();
  }, 60_000);
}

function saysRefusals(world: () => World): void {
  it('says in the question what the server refused', async () => {
    const { up, openPage, openView } = world();
    const { text } = await up.other.keys.create({ tenant: 'default', scope: 'read' });
    const page = await openPage();
    await openView(page, '/agents/demo-agent/checkpoints');
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    // The key was exchanged after the page had asked what it may do.
    await page.evaluate((key) => {
      sessionStorage.setItem('ctx.key', key);
    }, text);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.context().close();
  }, 60_000);
}

function showsArchive(world: () => World): void {
  it('shows archived items, finds them by their words, and brings one back', async () => {
    const { up, openPage, openView } = world();
    const store = await up.other.store('default');
    const save = (content: string) =>
      store.items.save({ agentId: 'tidy', kind: 'NOTE', content: `${content} note` });
    const { item: old } = await save('an archived');
    await save('a current');
    await store.items.archive('tidy', old.id);
    const page = await openPage();
    await openView(page, '/agents/tidy');
    await page.getByText('2 of 2 items').waitFor();
    await page.getByRole('button', { name: 'a current note' }).waitFor();
    await page.getByLabel('Tier', { exact: true }).selectOption('archived');
    await page.getByText('1 of 2 items').waitFor();
    const row = page.getByRole('button', { name: 'an archived note' });
    await row.waitFor();
    await page.getByRole('searchbox', { name: 'Search the items' }).fill('archived');
    await page.waitForURL(/q=archived/);
    await row.click();
    await confirm(page, 'Bring back', 'Bring back');
    await page.getByText('0 of 2 items').waitFor();
    await openView(page, '/agents/tidy');
    await page.getByText('2 of 2 items').waitFor();
    await row.waitFor();
    await page.context().close();
  }, 60_000);
}

function offersWhatItMay(world: () => World): void {
  it('offers a key that only reads no change, and says that it only reads', async () => {
    const { up, openPage, openView } = world();
    const store = await up.other.store('default');
    const { item } = await store.items.save({ agentId: 'ada', kind: 'TASK', content: 'Read it' });
    const { text } = await up.other.keys.create({ tenant: 'default', scope: 'read' });
    const places = [
      ['/agents/demo-agent/checkpoints', 'Restore'],
      [`/agents/ada?item=${item.id}`, 'Delete'],
    ] as const;
    const page = await openPage();
    for (const [path, name] of places) {
      await openView(page, path);
      await page.getByRole('button', { name, exact: true }).first().waitFor();
    }
    await page.evaluate((key) => {
      sessionStorage.setItem('ctx.key', key);
    }, text);
    for (const [path, name] of places) {
      await openView(page, path);
      await page.getByText('Live, read-only key', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    await page.context().close();
  }, 60_000);
}

const refused = 'This key is no longer valid';

function needsAKey(world: () => World): void {
  it('opens at the address that ctx up printed, and takes the key out of the bar', async () => {
    const { up, openPage } = world();
    expect(up.address).toContain('#key=ctx_');
    const page = await openPage();
    await page.getByText('A recorded agent does three chores').waitFor();
    expect(page.url()).toBe(`${up.url}/sessions`);
    await page.goBack();
    expect(page.url()).not.toContain('key=');
    await page.context().close();
  });

  it('asks for a key where there is none or a wrong one, and lets in with a good one', async () => {
    const { up, browser } = world();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(up.url);
    await page.getByRole('heading', { name: 'Enter an API key' }).waitFor();
    await page.goto(`${up.url}/#key=ctx_wrong`);
    await page.reload();
    await page.getByRole('heading', { name: refused }).waitFor();
    await page.getByLabel('Key', { exact: true }).fill(new URL(up.address).hash.slice(5));
    await page.getByRole('button', { name: 'Open' }).click();
    await waitForLive(page);
    await page.getByText('A recorded agent does three chores').waitFor();
    await context.close();
  }, 60_000);

  it.each(['is revoked', 'expires'])(
    'shows nothing more from the moment at which its key %s',
    async (end) => {
      const { up, browser } = world();
      const context = await browser.newContext();
      const page = await context.newPage();
      const input = { tenant: 'default', scope: 'read' } as const;
      const ends = end === 'expires' ? { expiresAt: Date.now() + 8000 } : {};
      const { text, key } = await up.other.keys.create({ ...input, ...ends });
      await page.goto(`${up.url}/statistics#key=${text}`);
      await page.getByText('Live, read-only key', { exact: true }).waitFor();
      if (end === 'is revoked') await up.other.keys.revoke(key.id);
      await page.getByRole('heading', { name: refused }).waitFor();
      await page.getByText('No key').waitFor();
      expect(await page.getByText('store-sqlite').count()).toBe(0);
      await page.reload();
      await page.getByRole('heading', { name: refused }).waitFor();
      await context.close();
    },
    60_000,
  );
}

/** What is changed from the page, and who may. */
export function changeTests(world: () => World): void {
  needsAKey(world);
  asksFirst(world);
  saysRefusals(world);
  showsArchive(world);
  offersWhatItMay(world);
}
