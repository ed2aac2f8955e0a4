import { createServer, type Server } from 'node:http';
import { expect, it } from 'vitest';
import { startCtxUp } from './test-support/ctx-up.ts';
import { type World, waitForLive } from './test-support/world.ts';

function followsFacts(world: () => World): void {
  it('shows facts on the open page as they are stated, corrected and forgotten', async () => {
    const { up, openPage, openView, faults } = world();
    const agent = 'knowing';
    const path = { agent };
    const facts = '/v1/agents/{agent}/facts';
    const page = await openPage();
    await openView(page, `/agents/${agent}/facts`);
    await page.getByText('No facts yet').waitFor();
    const row = (text: string) => page.locator('tr[data-fact]').filter({ hasText: text });
    const body = { text: 'Deploys run on Fridays', source: 'user' };
    const { data } = await up.client.POST(facts, { params: { path }, body });
    await row(body.text).waitFor();
    const remember = ['remember', '--agent', agent, 'Tests run at night', '--store', up.storeUrl];
    const { exitCode, stderr } = await up.home.run(remember);
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    await row('Tests run at night').waitFor();
    // A program of its own, as a manager is.
    const store = await up.other.store('default');
    await store.facts.remember({ agentId: agent, text: 'The port is 8080', source: 'user' });
    await row('The port is 8080').waitFor();
    const params = { path: { agent, fact: data?.fact.id ?? '' } };
    const right = { text: 'Deploys run on Mondays', source: 'user' };
    await up.client.PUT(`${facts}/{fact}`, { params, body: right });
    await row(right.text).waitFor();
    expect(await row(body.text).getAttribute('class')).toBe('muted');
    await up.client.DELETE(`${facts}/{fact}`, { params });
    await row(body.text).waitFor({ state: 'detached' });
    await store.facts.forget({ agentId: agent, text: 'The port is 8080' });
    await row('The port is 8080').waitFor({ state: 'detached' });
    expect(await page.locator('tr[data-fact]').count()).toBe(2);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 90_000);
}

/** A provider on loopback that answers everything. */
async function startProvider(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"usage":{"input_tokens":10,"output_tokens":3}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${String(port)}`, server };
}

/** Messages of an agent after so many calls. */
function historyOf(calls: number): unknown[] {
  const messages: unknown[] = [{ role: 'user', content: 'Do the chores.' }];
  for (let call = 1; call <= calls; call += 1) {
    const id = `t${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `make chore-${id}` } };
    const result = { type: 'tool_result', tool_use_id: id, content: `chore ${id} is done` };
    messages.push({ role: 'assistant', content: [use] }, { role: 'user', content: [result] });
  }
  return messages;
}

/** Asks through the proxy of a server, as an agent does. */
function proxiedAgent(address: string): (calls: number) => Promise<void> {
  const { origin, hash } = new URL(address);
  const tools = [{ name: 'Bash', input_schema: { type: 'object' } }];
  return async (calls) => {
    const messages = historyOf(calls);
    const answer = await fetch(`${origin}/t/${hash.slice('#key='.length)}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-claude-code-session-id': 'one' },
      body: JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1000, tools, messages }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  };
}

function followsProxy(world: () => World): void {
  it('a proxied session appears on the open page and grows there request by request', async () => {
    const provider = await startProvider();
    const more = ['--proxy', '--upstream', `anthropic=${provider.url}`];
    const up = await startCtxUp({ isDemo: false, more });
    const ask = proxiedAgent(up.address);
    const page = await (await world().browser.newContext()).newPage();
    await page.goto(up.address);
    await waitForLive(page);
    await page.goto(`${up.url}/sessions`);
    await waitForLive(page);
    await ask(1);
    const link = page.locator('main table a').first();
    await link.click();
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    const rows = page.locator('.request-row .row-link');
    await expect.poll(() => rows.count()).toBe(1);
    await ask(2);
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(2);
    await ask(3);
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(3);
    await page.getByRole('link', { name: 'Conversation', exact: true }).click();
    await page.getByText('make chore-t3').first().waitFor();
    await ask(4);
    await page.getByText('make chore-t4').first().waitFor();
    await page.getByRole('link', { name: 'Context', exact: true }).click();
    await page.locator('tr[data-fixed]').filter({ hasText: 'Bash' }).waitFor();
    await page.context().close();
    await up.close();
    provider.server.closeAllConnections();
    provider.server.close();
  }, 120_000);
}

/** What is known beyond a session, and what comes through the proxy: both live. */
export function memoryTests(world: () => World): void {
  followsFacts(world);
  followsProxy(world);
}
