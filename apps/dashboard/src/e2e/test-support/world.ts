import { EventEmitter, once } from 'node:events';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { buildPage } from '../../test-support/build-page.ts';
import { chromiumPath } from './chromium.ts';
import { type CtxUp, startCtxUp } from './ctx-up.ts';

/** A browser, and the server that it looks at. */
export interface World {
  readonly up: CtxUp;
  readonly browser: Browser;
  /** What no page may do: errors, dialogs, and what the policy of the server refused. */
  readonly faults: string[];
  /** A tab that has opened the address that was printed. */
  readonly openPage: (options?: BrowserContextOptions) => Promise<Page>;
  /** Goes to a view and waits until it is there. */
  readonly openView: (page: Page, path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

function watch(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
}

/** What axe finds on a page. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`);
}

export async function waitForLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
}

/** Builds the page, starts `ctx up --demo` and the browser. */
export async function makeWorld(): Promise<World> {
  buildPage();
  const [up, browser] = await Promise.all([
    startCtxUp({ isDemo: true }),
    chromium.launch({
      ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
      args: ['--no-sandbox', '--disable-background-networking'],
    }),
  ]);
  const faults: string[] = [];
  return {
    up,
    browser,
    faults,
    openPage: async (options = {}) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      watch(page, faults);
      await page.goto(up.address);
      await waitForLive(page);
      return page;
    },
    openView: async (page, path) => {
      await page.goto(up.url + path);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.waitForFunction(() => document.querySelector('.loading') === null);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Page not found' }).count()).toBe(0);
    },
    close: async () => {
      await browser.close();
      await up.close();
    },
  };
}

/** Holds back the answers of an address. Returns the function that releases them. */
export async function holdAnswers(page: Page, address: RegExp): Promise<() => void> {
  const events = new EventEmitter();
  const released = once(events, 'released');
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return () => void events.emit('released');
}

/** Presses a button that asks, and says yes. */
export async function confirm(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: act, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
