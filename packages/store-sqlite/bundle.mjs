import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * Copies what runs of the driver for Nodes without `node:sqlite` into `folder`: its code and its binaries, 18 of 29 MB, and nothing that a
 * script of an installation would build.
 */
export async function bundle(folder = path.join(import.meta.dirname, 'dist/photostructure')) {
  const entry = require.resolve('@photostructure/sqlite');
  const origin = path.dirname(path.dirname(entry));
  mkdirSync(folder, { recursive: true });
  for (const part of ['LICENSE', 'prebuilds']) {
    cpSync(path.join(origin, part), path.join(folder, part), { recursive: true });
  }
  await build({
    entryPoints: [entry],
    outfile: path.join(folder, 'dist/index.cjs'),
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20.19', logLevel: 'error' },
  });
}
