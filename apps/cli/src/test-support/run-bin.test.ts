import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeTestHome } from './run-bin.ts';

interface Hooks {
  readonly load: (url: string) => Promise<{ readonly source: string }>;
}

test('the hooks that load our sources load files of the same text at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-same-text-'));
  const home = makeTestHome(join(folder, 'program.ts'));
  try {
    const hooks = (await import(pathToFileURL(join(home.folder, 'hooks.mjs')).href)) as Hooks;
    for (let round = 0; round < 10; round += 1) {
      const urls = ['a', 'b', 'c'].map((name) => {
        const path = join(folder, `${name}-${String(round)}.ts`);
        // A text that no run has kept before.
        writeFileSync(path, `export const place: string = '${folder}/${String(round)}';\n`);
        return pathToFileURL(path).href;
      });
      const loaded = await Promise.all(urls.map((url) => hooks.load(url)));
      const text = `const place = "${folder}/${String(round)}";\nexport {\n  place\n};\n`;
      expect(loaded.map(({ source }) => source)).toEqual([text, text, text]);
    }
  } finally {
    home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
