import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { checkFloors } from './check/floors.mjs';
import { root } from './setup/workspace.mjs';

const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const homes = [];
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** A tree of one-line files: path → what it imports. */
function treeOf(files) {
  const home = mkdtempSync(path.join(tmpdir(), 'ctx-floors-'));
  homes.push(home);
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.base.json']) {
    cpSync(path.join(root, name), path.join(home, name));
  }
  // The types that tsconfig.base.json asks for, and TypeScript itself.
  symlinkSync(path.join(root, 'node_modules'), path.join(home, 'node_modules'));
  const packages = { 'packages/core': {}, 'packages/truncation': { left: '1' } };
  for (const [folder, devDependencies] of Object.entries(packages)) {
    put(
      home,
      `${folder}/package.json`,
      JSON.stringify({ name: folder, type: 'module', devDependencies }),
    );
  }
  put(
    home,
    'packages/truncation/node_modules/left/package.json',
    '{"name":"left","main":"index.js"}',
  );
  put(home, 'packages/truncation/node_modules/left/index.js', '');
  for (const [file, imports] of Object.entries(files)) {
    const lines = [imports].flat().map((specifier) => `import '${specifier}';\n`);
    put(home, file, `${lines.join('')}export {};\n`);
  }
  return home;
}

function put(home, file, text) {
  const full = path.join(home, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
}

const core = 'packages/core/src';
const kit = 'packages/store/src/testing';
const sound = {
  [`${core}/index.ts`]: './errors.ts',
  [`${core}/errors.ts`]: [],
  [`${core}/errors.test.ts`]: ['./errors.ts', 'node:fs'],
  'packages/tokens/src/index.ts': '../../core/src/index.ts',
  'packages/redact/src/index.ts': '../../core/src/index.ts',
  'packages/store/src/index.ts': ['../../core/src/index.ts', '../../redact/src/index.ts'],
  [`${kit}/index.ts`]: [
    'node:assert/strict',
    'node:fs/promises',
    'node:os',
    'node:path',
    '../index.ts',
  ],
  'packages/store-fs/src/index.ts': ['../../store/src/index.ts', 'node:fs'],
  'packages/store-fs/src/index.test.ts': '../../store/src/testing/index.ts',
  'packages/truncation/src/index.ts': ['../../core/src/index.ts', '../../tokens/src/index.ts'],
  'packages/truncation/src/index.test.ts': 'left',
  'packages/agent-adapter/src/index.ts': '../../truncation/src/index.ts',
  'packages/agent-adapter/src/index.test.ts': '../../store-fs/src/index.ts',
  'packages/replay/src/index.ts': '../../truncation/src/index.ts',
  'apps/cli/src/bin.ts': [
    '../../../packages/agent-adapter/src/index.ts',
    '../../server/src/records.ts',
  ],
  'apps/server/src/main.ts': [],
  'apps/server/src/records.ts': [],
  'bench/run.ts': [],
};

/** The rule, and one planted file that breaks it and nothing else: where it stands and what it imports. */
const planted = {
  'no-circular': [`${core}/ring.ts`, './ring.ts'],
  'every-import-resolves': [`${core}/lost.ts`, './nowhere.ts'],
  'core-stands-alone': [`${core}/neighbour.ts`, '../../tokens/src/index.ts'],
  'first-floor-imports-core': ['packages/tokens/src/neighbour.ts', '../../redact/src/index.ts'],
  'store-imports-lower-floors': ['packages/store/src/upwards.ts', '../../truncation/src/index.ts'],
  'third-floor-imports-lower-floors': [
    'packages/truncation/src/neighbour.ts',
    '../../store-fs/src/index.ts',
  ],
  'fourth-floor-imports-lower-floors': [
    'packages/replay/src/neighbour.ts',
    '../../agent-adapter/src/index.ts',
  ],
  'an-app-is-no-library': ['bench/app.ts', '../apps/server/src/main.ts'],
  'apps-are-strangers': ['apps/cli/src/stranger.ts', '../../server/src/main.ts'],
  'a-bench-runs-as-built': ['bench/inside.ts', '../packages/store-fs/src/index.ts'],
  'packages-know-no-examples': ['apps/server/src/bench.ts', '../../../bench/run.ts'],
  'core-runs-anywhere': [`${core}/files.ts`, 'node:fs'],
  'the-kit-needs-little-of-node': [`${kit}/files.ts`, 'node:fs'],
  'testing-is-for-tests': ['apps/cli/src/kit.ts', '../../../packages/store/src/testing/index.ts'],
  'source-imports-no-tests': [
    'apps/cli/src/test.ts',
    '../../../packages/truncation/src/index.test.ts',
  ],
  'no-development-dependencies': ['packages/truncation/src/left.ts', 'left'],
};

describe('the floors', () => {
  it('hold in a sound tree', () => {
    const { modules, violations } = checkFloors(treeOf(sound));
    assert.deepEqual(violations, []);
    assert.ok(modules >= Object.keys(sound).length);
  });

  it('notice a planted violation of each rule, and only that', () => {
    const { violations } = checkFloors(
      treeOf({ ...sound, ...Object.fromEntries(Object.values(planted)) }),
    );
    const noticed = Object.fromEntries(violations.map(({ rule, from }) => [from, rule]));
    assert.equal(violations.length, Object.keys(planted).length);
    for (const { name } of forbidden) {
      assert.ok(planted[name], `no violation planted for ${name}`);
      assert.equal(noticed[planted[name][0]], name);
    }
  });

  it('fail on a tree where nothing is read', () => {
    assert.throws(() => checkFloors(treeOf({})), /0 modules|failed/);
  });
});
