import path from 'node:path';
import { root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';
import { inParallel } from './in-parallel.mjs';
import { tarballs } from './tarballs.mjs';

const publint = path.join(root, 'node_modules/publint/src/cli.js');

await inParallel(tarballs(), 2, async ({ manifest, tarball }) => {
  const { exitCode, output } = await execute(process.execPath, [
    publint,
    'run',
    tarball,
    '--strict',
  ]);
  if (exitCode === 0) return;
  console.log(`${manifest.name}\n${output}`);
  process.exitCode = 1;
});
