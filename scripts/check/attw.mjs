import path from 'node:path';
import { root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';
import { inParallel } from './in-parallel.mjs';
import { tarballs } from './tarballs.mjs';

/** Do the types of each entry point resolve for an ESM user? The command line has no entry point to import. */
const attw = path.join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
const importable = tarballs().filter(({ manifest }) =>
  Object.keys(manifest.exports ?? {}).some((key) => key !== './package.json'),
);

await inParallel(importable, 2, async ({ manifest, tarball }) => {
  const args = [attw, tarball, '--profile', 'esm-only', '--no-color', '--no-definitely-typed'];
  const { exitCode, output } = await execute(process.execPath, args);
  if (exitCode === 0) return;
  console.log(`${manifest.name}\n${output}`);
  process.exitCode = 1;
});
