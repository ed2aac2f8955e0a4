import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { members, root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';
import { inParallel } from './in-parallel.mjs';
import { nodeOf } from './node-versions.mjs';

/**
 * Each example is a program that asserts its own result: it runs, in a fresh folder, and ends with 0. What needs a newer Node than ours
 * stands in `main-node22.ts` beside it.
 */
const limitMs = 120_000;
const examples = members('examples');

await inParallel(await programs(), 2, async ({ name, main, node }) => {
  const cwd = mkdtempSync(path.join(tmpdir(), `ctx-example-${name}-`));
  const { exitCode, output } = await execute(node, [main], { cwd, timeout: limitMs });
  rmSync(cwd, { recursive: true, force: true });
  if (exitCode !== 0) fail(name, output);
});
console.log(`${examples.length} examples ran`);

async function programs() {
  const found = [];
  for (const { name, folder } of examples) {
    const main = path.join(folder, 'dist/main.js');
    if (existsSync(main)) found.push({ name, main, node: process.execPath });
    else {
      const where = path.relative(root, main);
      fail(name, `${where} is missing: main.ts, and a reference in tsconfig.json`);
    }
    const newer = path.join(folder, 'dist/main-node22.js');
    if (existsSync(newer)) found.push({ name, main: newer, node: await nodeOf(22) });
  }
  return found;
}

function fail(name, output) {
  console.log(`examples/${name} failed\n${output}`);
  process.exitCode = 1;
}
