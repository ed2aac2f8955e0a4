import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';
import { inParallel } from './in-parallel.mjs';
import { tarballFolder, tarballs } from './tarballs.mjs';

/** Packs every public package as it would go to the registry. */
rmSync(tarballFolder, { recursive: true, force: true });
mkdirSync(tarballFolder, { recursive: true });
const pnpm = path.join(root, 'node_modules/pnpm/bin/pnpm.cjs');

await inParallel(tarballs(), 2, async ({ folder, manifest, tarball }) => {
  const args = [pnpm, 'pack', '--pack-destination', tarballFolder];
  const { exitCode, output } = await execute(process.execPath, args, { cwd: folder });
  if (exitCode === 0 && existsSync(tarball)) return;
  console.log(`${manifest.name} was not packed\n${output}`);
  process.exitCode = 1;
});
