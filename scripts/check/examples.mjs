import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { members, root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';
import { inParallel } from './in-parallel.mjs';

/** Each example is a program that asserts its own result: it runs, in a fresh folder, and ends with 0. */
const limitMs = 120_000;
const examples = members('examples');

await inParallel(examples, 2, async ({ name, folder }) => {
  const main = path.join(folder, 'dist/main.js');
  if (!existsSync(main)) {
    fail(
      name,
      `${path.relative(root, main)} is missing: main.ts, and a reference in tsconfig.json`,
    );
    return;
  }
  const cwd = mkdtempSync(path.join(tmpdir(), `ctx-example-${name}-`));
  const { exitCode, output } = await execute(process.execPath, [main], { cwd, timeout: limitMs });
  rmSync(cwd, { recursive: true, force: true });
  if (exitCode !== 0) fail(name, output);
});
console.log(`${examples.length} examples ran`);

function fail(name, output) {
  console.log(`examples/${name} failed\n${output}`);
  process.exitCode = 1;
}
