import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
// Bare imports resolve from here; the folder is one that git ignores.
const folder = `${root}contract-tests/.ctx/docs`;
mkdirSync(folder, { recursive: true });
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The `ts` blocks of the pages. A block that needs something from the reader is marked `ts fragment` and is not run. */
const examples = readdirSync(`${root}docs`)
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) => {
    const text = readFileSync(`${root}docs/${page}`, 'utf8');
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)];
    return blocks.map(([, code = ''], index) => ({ page, index, code }));
  });

describe('an example of the docs', () => {
  it('is there', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });

  for (const { page, index, code } of examples) {
    it(`runs as it stands: ${page}, block ${index + 1}`, async () => {
      const store = mkdtempSync(`${tmpdir()}/ctx-docs-`);
      const file = `${folder}/${page.replace('.md', '')}-${index}.ts`;
      writeFileSync(file, code.replaceAll('./ctx.db', `${store}/ctx.db`));
      await import(/* @vite-ignore */ pathToFileURL(file).href);
      rmSync(store, { recursive: true, force: true });
    });
  }
});
