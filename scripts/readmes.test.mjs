import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from './setup/workspace.mjs';

function blocksOf(text, language) {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, found, block]) =>
    found === language ? [block] : [],
  );
}

/** Packages of ctx that blocks name, each once. */
function namedIn(blocks, pattern) {
  return new Set(blocks.flatMap((block) => [...block.matchAll(pattern)].map(([, name]) => name)));
}

describe("a package's README", () => {
  for (const name of readdirSync(path.join(root, 'packages'))) {
    it(`installs whatever its examples import: ${name}`, () => {
      const text = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8');
      const lines = blocksOf(text, 'sh').flatMap((block) => block.split('\n'));
      const installs = lines.filter((line) => line.startsWith('npm install'));
      const imported = namedIn(blocksOf(text, 'ts'), /(?:from|import) '(@ctx\/[a-z-]+)/g);
      const installed = namedIn(installs, /\s(@ctx\/[a-z-]+)/g);
      assert.ok(imported.has(`@ctx/${name}`), 'it has no example of itself');
      const missing = [...imported].filter((each) => !installed.has(each));
      assert.deepEqual(missing, []);
    });
  }
});
