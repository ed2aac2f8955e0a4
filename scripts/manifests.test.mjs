import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { publicPackages, readJson, root } from './setup/workspace.mjs';

describe('the package.json of a package that goes to the registry', () => {
  for (const { name, manifest } of publicPackages()) {
    it(`says what it is, to whom it is open, and on what it runs: ${name}`, () => {
      const { license, description, keywords, engines, publishConfig } = manifest;
      assert.equal(license, 'MIT');
      assert.ok(description.length > 10 && keywords.length >= 4);
      assert.equal(engines.node, '>=20.19');
      assert.equal(publishConfig.access, 'public');
    });

    it(`packs neither sources nor entries that lead to them: ${name}`, () => {
      const packed = manifest.publishConfig.exports ?? manifest.exports;
      assert.deepEqual(Object.keys(packed), Object.keys(manifest.exports));
      assert.ok(!JSON.stringify(packed).includes('@ctx/source'));
      assert.ok(!manifest.files.includes('src'));
    });
  }
});

describe('the first release', () => {
  for (const { name, manifest } of publicPackages()) {
    it(`has one entry that says what it brings: ${name}`, () => {
      const text = readFileSync(path.join(root, '.changeset', `${name}.md`), 'utf8');
      const [, packages, entry = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(text) ?? [];
      assert.equal(packages, `'${manifest.name}': minor`);
      const words = entry.split(/\s+/).length;
      assert.ok(words > 20 && words < 150, `${words} words`);
    });
  }

  it('names in each package.json the repository that its workflow runs in', () => {
    const workflow = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
    const [, block = ''] =
      /name: Name the repository[^\n]*\n +run: \|\n(.*?)\n {6}- /s.exec(workflow) ?? [];
    const folder = mkdtempSync(path.join(tmpdir(), 'ctx-manifests-'));
    const env = {
      ...process.env,
      GITHUB_SERVER_URL: 'https://git.example',
      GITHUB_REPOSITORY: 'a/b',
    };
    const places = ['packages/core', 'packages/store', 'apps/cli', 'apps/server'];
    for (const place of places) {
      const file = path.join(place, 'package.json');
      cpSync(path.join(root, file), path.join(folder, file));
    }
    execFileSync('bash', ['-ec', block], { cwd: folder, env });
    for (const place of places) {
      const { repository, ...rest } = readJson(path.join(folder, place, 'package.json'));
      const url = 'git+https://git.example/a/b.git';
      assert.deepEqual(repository, { type: 'git', url, directory: place });
      assert.deepEqual(rest, readJson(path.join(root, place, 'package.json')));
    }
    rmSync(folder, { recursive: true });
  });
});
