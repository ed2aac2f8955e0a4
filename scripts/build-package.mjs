import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePage } from './setup/build.mjs';
import { runNode } from './setup/processes.mjs';
import { readJson, root } from './setup/workspace.mjs';

/** The task `build` of a package, run in its folder: its types and JavaScript, then the bundles that some have. */
const folder = process.cwd();
const manifest = readJson('package.json');
/** Types are checked by the task `types`: here they are written out alone, which takes half the time. */
const tsc = path.join(root, 'node_modules/typescript7/bin/tsc');
const promised = targetsOf([manifest.exports, manifest.publishConfig?.exports, manifest.bin]);

if (manifest.name === '@ctx/dashboard') await bundlePage();
else await compile();

async function compile() {
  // The output of a file that is gone would still be packed.
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  const args = [tsc, '-p', 'tsconfig.build.json', '--noCheck'];
  process.exitCode = await runNode(args, { cwd: folder });
  if (process.exitCode !== 0) return;
  const bundler = path.join(folder, 'bundle.mjs');
  if (existsSync(bundler)) await (await import(pathToFileURL(bundler).href)).bundle();
  for (const target of promised.filter((one) => !existsSync(path.join(folder, one)))) {
    console.log(`${manifest.name}: package.json names ${target}, which the build does not make`);
    process.exitCode = 1;
  }
}

function targetsOf(value) {
  if (typeof value === 'string') return [value];
  return Object.values(value ?? {}).flatMap((inner) => targetsOf(inner));
}
