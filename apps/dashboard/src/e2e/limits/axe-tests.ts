import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { viewsOf } from '../test-support/views.ts';
import type { World } from '../test-support/world.ts';

/** A session whose transcript holds its system prompt and tools, some of an MCP server. */
function transcript(): string {
  const tool = (name: string, words: number) => ({
    ...{ name, description: 'look '.repeat(words), input_schema: { type: 'object' } },
  });
  const tools = [tool('Read', 20), tool('mcp__github__list', 90), tool('mcp__github__get', 40)];
  const use = { type: 'tool_use', id: 'call_1', name: 'Read', input: { file_path: '/w/a.ts' } };
  const messages = [
    { role: 'user', content: 'read the file' },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'x = 1' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'it is one line' }] },
  ];
  return JSON.stringify({ id: 'fixed-parts', system: 'You are careful.', tools, messages });
}

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`);
}

/** Tests of every view with axe. */
export function axeTests(world: () => World): void {
  it.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1280],
    ['light', 1280],
  ] as const)(
    'every view is without an axe violation in %s at %i px',
    async (colorScheme, width) => {
      const { up, faults, openPage, openView } = world();
      await up.client.POST('/v1/import', { body: { name: 'fixed.json', content: transcript() } });
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } });
      const views = {
        ...(await viewsOf(up)),
        ordered: '/sessions?sort=cost',
        grouped: '/sessions?sort=fill&group=project',
        fixed: '/sessions/fixed-parts',
        replayed: '/sessions/fixed-parts?as=default',
        archived: '/agents/demo-agent?tier=archived',
        facts: '/agents/demo-agent/facts',
        unknown: '/nowhere',
      };
      for (const [name, path] of Object.entries(views)) {
        // An address that is none has a heading that no other view may have.
        if (name === 'unknown') await page.goto(up.url + path);
        else await openView(page, path);
        await page.locator('main h1').first().waitFor();
        if (name === 'fixed') await page.getByText('MCP server github, 2 tools').waitFor();
        expect([name, await violationsOf(page)]).toEqual([name, []]);
      }
      expect(faults).toEqual([]);
      await page.context().close();
    },
    400_000,
  );
}
