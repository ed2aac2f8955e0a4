import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { World } from './test-support/world.ts';

/** Presses the button, and gives the file that the browser saved. */
async function save(page: Page): Promise<string> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Share as a file' }).first().click();
  const download = await waiting;
  const path = `${await download.path()}.html`;
  copyFileSync(await download.path(), path);
  return path;
}

/** Tests that a session leaves the page as a file of its own. */
export function shareTests(world: () => World): void {
  it.each(['light', 'dark'] as const)(
    'is a file that opens without a server, in %s, on a phone, with nothing serious for axe',
    async (colorScheme) => {
      const { browser, faults, openPage, openView } = world();
      const page = await openPage();
      await openView(page, '/sessions/demo/conversation');
      const path = await save(page);
      expect(statSync(path).size).toBeLessThanOrEqual(5_000_000);
      const context = await browser.newContext({
        ...{ offline: true, colorScheme, viewport: { width: 390, height: 800 } },
      });
      const file = await context.newPage();
      const asked: string[] = [];
      file.on('request', (request) => asked.push(request.url()));
      file.on('console', (message) => faults.push(message.text()));
      await file.goto(pathToFileURL(path).href);
      await file.getByRole('heading', { name: 'Conversation' }).waitFor();
      await file.locator('.out').first().waitFor();
      expect(asked).toEqual([pathToFileURL(path).href]);
      expect(await file.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        390,
      );
      const { violations } = await new AxeBuilder({ page: file }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
      await page.context().close();
    },
    120_000,
  );

  it('holds one request where it is shared from there', async () => {
    const { openPage, openView } = world();
    const page = await openPage();
    await openView(page, '/sessions/demo/request/2');
    await page.getByText(/^Request 2 of/).waitFor();
    const button = page.getByRole('button', { name: 'Share this request as a file' });
    const waiting = page.waitForEvent('download');
    await button.click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('ctx-demo-request-2.html');
    expect(readFileSync(await download.path(), 'utf8')).toContain('Session demo. Request 2,');
    await page.context().close();
  }, 120_000);
}
