import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}docs/architecture.md`, 'utf8');
const paths = [...page.matchAll(/`((?:packages|apps|examples|scripts)\/[\w./-]+)`/g)].map(
  ([, path = '']) => path,
);

describe('the page on architecture', () => {
  it.each([...new Set(paths)])('names what exists: %s', (path) => {
    expect(existsSync(root + path)).toBe(true);
  });

  it('walks from a tool output to its row and back through at most 12 files', () => {
    const walk = page.slice(page.indexOf('## One tool output'));
    const files = new Set(walk.match(/packages\/[\w./-]+\.ts/g));
    expect(files.size).toBeGreaterThan(8);
    expect(files.size).toBeLessThanOrEqual(12);
  });
});
