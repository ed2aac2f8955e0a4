import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { viewsOf } from './test-support/views.ts';
import type { World } from './test-support/world.ts';

/** More presses than any view has controls. */
const most = 900;

/** What a walk through a view found. */
interface Walk {
  readonly controls: number;
  /** Controls that Tab did not come to. */
  readonly missed: readonly string[];
  /** Controls that do not look as if they had the focus. */
  readonly unseen: readonly string[];
  /** Whether it came round to where it began. */
  readonly isRound: boolean;
}

/** Notes in the page which controls get the focus, and whether that can be seen. */
async function watchFocus(page: Page): Promise<void> {
  await page.evaluate(() => {
    const controls = 'a[href], button, input, select, summary, [tabindex="0"]';
    const isThere = (one: Element): boolean =>
      one.checkVisibility() && !(one instanceof HTMLButtonElement && one.disabled);
    const all = [...document.querySelectorAll(controls)].filter(isThere);
    const seen = new Set<Element>();
    const unseen: string[] = [];
    const name = (one: Element): string => one.outerHTML.slice(0, 120);
    const hasOutline = (one: Element): boolean =>
      [undefined, '::after'].some((part) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(one, part);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
      });
    let isRound = false;
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return;
      if (seen.has(target) && target === all[0]) isRound = true;
      seen.add(target);
      if (!hasOutline(target)) unseen.push(name(target));
    });
    const tell = (): Walk => ({
      controls: all.length,
      missed: all.filter((one) => one.isConnected && !seen.has(one)).map(name),
      unseen,
      isRound,
    });
    Reflect.set(window, 'walk', tell);
  });
}

async function walkOf(page: Page): Promise<Walk> {
  return page.evaluate<Walk>('window.walk()');
}

async function walkThrough(page: Page): Promise<Walk> {
  await watchFocus(page);
  for (let press = 0; press < most; press += 1) {
    await page.keyboard.press('Tab');
    // Asking costs more than pressing.
    if (press % 10 === 0 && (await walkOf(page)).isRound) break;
  }
  return walkOf(page);
}

function reachesAll(world: () => World): void {
  it('leads Tab to every control of every view, visibly, and round to the first', async () => {
    const { up, openPage, openView } = world();
    const page = await openPage({ viewport: { width: 1280, height: 860 } });
    let controls = 0;
    for (const [name, path] of Object.entries(await viewsOf(up))) {
      await openView(page, path);
      const walk = await walkThrough(page);
      expect([name, walk]).toEqual([
        name,
        { controls: walk.controls, missed: [], unseen: [], isRound: true },
      ]);
      controls += walk.controls;
    }
    console.log(`Tab came to ${String(controls)} controls`);
    await page.context().close();
  }, 400_000);
}

function usesShortcuts(world: () => World): void {
  it('opens, searches, acts and closes without a mouse', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/.+/);
    await page.keyboard.press('?');
    const help = await page.getByRole('dialog').textContent();
    for (const key of ['j / k', 'Enter', '/', '?', 'Esc', 'Tab']) expect(help).toContain(key);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openView(page, '/agents/demo-agent');
    await page.keyboard.press('/');
    await page.keyboard.type('parser');
    await page.waitForURL(/q=parser/);
    await page.keyboard.press('Escape');
    await openView(page, '/agents/demo-agent');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(/item=/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Item' }).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('item=');
    // Back where it was: the next Tab goes on from there.
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('item-row');
    await page.context().close();
  }, 60_000);
}

function keepsTheFocus(world: () => World): void {
  it('keeps the focus in a question until it is answered, and gives it back', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/agents/demo-agent/checkpoints');
    await page.getByRole('button', { name: 'Fork' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Tab');
      // Between the last and the first the browser's own controls may have it.
      const place = await page.evaluate(
        () =>
          document.activeElement === document.body ||
          document.activeElement?.closest('dialog') !== null,
      );
      expect(place).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Fork');
    await page.context().close();
  }, 60_000);
}

/** What is done without a mouse. */
export function keyboardTests(world: () => World): void {
  reachesAll(world);
  usesShortcuts(world);
  keepsTheFocus(world);
}
