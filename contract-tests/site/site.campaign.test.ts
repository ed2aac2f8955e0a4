import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const site = fileURLToPath(new URL('../../site', import.meta.url));
const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => existsSync(file));
if (executablePath === undefined) console.warn('The site is not tested: no Chromium here.');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Serves the built site as a plain file server does. */
function serveSite(): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const asked = path.join(site, 'dist', path.posix.normalize(decodeURI(pathname)));
    const file = existsSync(asked) && statSync(asked).isDirectory() ? `${asked}/index.html` : asked;
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(file));
  });
}

describe.skipIf(executablePath === undefined)('the documentation site', () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  const foreign: string[] = [];
  const faults: string[] = [];

  async function open(address: string): Promise<Page> {
    const page = await browser.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) {
        foreign.push(request.url());
      }
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(url + address);
    return page;
  }

  beforeAll(async () => {
    // Building fails on a dead link.
    await promisify(execFile)(process.execPath, ['build-site.mjs'], { cwd: site });
    server = serveSite();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  }, 900_000);

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  it('opens a page from the list of pages, and a package from there', async () => {
    const page = await open('/docs/');
    await page.getByRole('main').getByRole('link', { name: 'Checkpoints', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Checkpoints' }).waitFor();
    await page.getByRole('link', { name: '@ctx/transcripts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '@ctx/transcripts' }).waitFor();
  });

  it('has a page of the API for what a package exports', async () => {
    const page = await open('/api/');
    expect(await page.getByRole('main').innerText()).toContain('store-sqlite');
  });

  it('finds words without a network', async () => {
    const page = await open('/docs/');
    const box = page.getByRole('searchbox');
    // A page that has loaded does not listen to keys yet.
    while (!(await box.isVisible())) {
      await page.keyboard.press('Control+k');
      await page.waitForTimeout(100);
    }
    await box.fill('flash save');
    const results = page.getByRole('option');
    await results.first().waitFor();
    const texts = await results.allInnerTexts();
    expect(texts.some((text) => text.includes('Flash save'))).toBe(true);
  });

  it('asks nobody else for anything, and no page of it fails', () => {
    expect(foreign).toEqual([]);
    expect(faults).toEqual([]);
  });
});
