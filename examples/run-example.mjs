import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeOf } from '../contract-tests/published/node-versions.mjs';
import { run } from '../scripts/setup/processes.mjs';
import { transpile } from '../scripts/setup/transpile.mjs';

/**
 * The task `example`, run in the folder of one: it is a program that asserts its own result and runs in a fresh folder on what the
 * packages publish. What needs a newer Node than ours is in `main-node22.ts`.
 */
const limitMs = 120_000;
const programs = [
  { main: 'main', node: process.execPath },
  { main: 'main-node22', node: existsSync('main-node22.ts') ? await nodeOf(22) : undefined },
];

await transpile(process.cwd());
const cwd = mkdtempSync(path.join(tmpdir(), 'ctx-example-'));
for (const { main, node } of programs) {
  if (node === undefined) continue;
  const program = path.resolve('dist', `${main}.js`);
  process.exitCode ||= await run(node, [program], { cwd, timeout: limitMs });
}
rmSync(cwd, { recursive: true, force: true });
