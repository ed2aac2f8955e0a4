import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildPage } from './test-support/build-page.ts';

const limitBytes = 130 * 1024;

it('the page has at most 130 KB of script, gzipped, and makes HTML of no text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-page-'));
  buildPage(folder);
  const assets = join(folder, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(assets, name))).length);
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  rmSync(folder, { recursive: true });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limitBytes);
  // The policy of the server allows neither.
  expect(index).not.toMatch(/<script(?![^>]* src=)|<style| style=|\son\w+=/);
});

it('no part of the page sets HTML', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'));
  const found = sources.filter((name) =>
    /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/.test(
      readFileSync(new URL(name, folder), 'utf8'),
    ),
  );
  expect([sources.length > 30, found]).toEqual([true, []]);
});
