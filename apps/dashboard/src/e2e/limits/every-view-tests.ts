import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { phoneLooks } from '../phone-tests.ts';
import { viewsOf } from '../test-support/views.ts';
import { violationsOf, type World } from '../test-support/world.ts';
import { expectLines, linesOf } from '../view-tests.ts';

/** Where the run leaves its pictures; git does not take them. */
const pictures = fileURLToPath(new URL('../../../dist/pictures/', import.meta.url));

/** Small enough for a document, large enough for a screen of work. */
const desk = { name: 'desk', viewport: { width: 1100, height: 740 } };
const phone = { name: 'phone', viewport: { width: 390, height: 780 }, hasTouch: true };

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

/** The addresses of all views, with something to show. */
async function allViews({ up }: World): Promise<Readonly<Record<string, string>>> {
  await up.client.POST('/v1/import', { body: { name: 'fixed.json', content: transcript() } });
  return {
    ...(await viewsOf(up)),
    ordered: '/sessions?sort=cost',
    grouped: '/sessions?sort=fill&group=project',
    fixed: '/sessions/fixed-parts',
    replayed: '/sessions/fixed-parts?as=default',
    archived: '/agents/demo-agent?tier=archived',
    facts: '/agents/demo-agent/facts',
    unknown: '/nowhere',
  };
}

/** Faults by what was looked at and view, and the lines that the views offer. */
interface Found {
  readonly faults: Record<string, Record<string, string[]>>;
  readonly lines: Set<string>;
}

/** Looks at one view in both colour schemes: to load it takes longer than to look. */
async function lookAt(page: Page, view: string, screen: typeof desk): Promise<Found['faults']> {
  const found: Found['faults'] = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const isPhone = screen === phone;
    if (!isPhone || colorScheme === 'light') {
      const name = `${view}-${isPhone ? 'phone' : colorScheme}.png`;
      await page.screenshot({ path: join(pictures, name) });
    }
    found[colorScheme] = { [view]: await violationsOf(page) };
  }
  if (screen !== phone) return found;
  for (const [name, look] of Object.entries(phoneLooks)) {
    found[name] = { [view]: [...new Set(await page.evaluate(look))].slice(0, 8) };
  }
  return found;
}

async function walk(world: World, screen: typeof desk): Promise<Found> {
  const { up, faults, openPage, openView } = world;
  mkdirSync(pictures, { recursive: true });
  const page = await openPage(screen);
  const found: Found = { faults: {}, lines: new Set() };
  for (const [view, path] of Object.entries(await allViews(world))) {
    // An address that is none has a heading that no other view may have.
    if (view === 'unknown') await page.goto(up.url + path);
    else await openView(page, path);
    await page.locator('main h1').first().waitFor();
    if (view === 'fixed') await page.getByText('MCP server github, 2 tools').waitFor();
    for (const [name, one] of Object.entries(await lookAt(page, view, screen))) {
      found.faults[name] = { ...found.faults[name], ...one };
    }
    for (const line of await linesOf(page)) found.lines.add(line);
  }
  await page.getByRole('button', { name: 'Keys' }).click();
  await page.getByRole('dialog').waitFor();
  found.faults['light'] = { ...found.faults['light'], keys: await violationsOf(page) };
  expect(faults).toEqual([]);
  await page.context().close();
  return found;
}

/** Goes through all views once for each screen. */
function walks(world: () => World): (screen: typeof desk) => Promise<Found> {
  const made = new Map<string, Promise<Found>>();
  return (screen) => {
    const found = made.get(screen.name) ?? walk(world(), screen);
    made.set(screen.name, found);
    return found;
  };
}

/** Tests that go through every view. */
export function everyViewTests(world: () => World): void {
  const foundAt = walks(world);
  const expectNone = async (screen: typeof desk, name: string): Promise<void> => {
    const all = Object.entries((await foundAt(screen)).faults[name] ?? {});
    expect(all.length).toBeGreaterThan(25);
    expect(all.filter(([, faults]) => faults.length > 0)).toEqual([]);
  };

  for (const screen of [desk, phone]) {
    it.each(['light', 'dark'])(
      `every view on a ${screen.name} is without an axe violation in %s`,
      (colorScheme) => expectNone(screen, colorScheme),
    );
  }

  it.each(Object.keys(phoneLooks))('%s', (name) => expectNone(phone, name));

  it('offers command lines that run and addresses that answer', async () => {
    const { lines } = await foundAt(desk);
    expect(lines.size).toBeGreaterThan(20);
    await expectLines(world().up, lines);
  });
}
