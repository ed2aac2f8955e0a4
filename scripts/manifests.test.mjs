import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publicPackages } from './setup/workspace.mjs';

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
