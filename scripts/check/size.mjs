import { existsSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { members, readJson, root } from '../setup/workspace.mjs';

/**
 * What an entry point costs in a bundle, dependencies included, minified and gzipped. `size-limits.json` names the
 * entry points that are watched and their limits in KB (what they weighed and a fifth more); those for a browser must
 * bundle with no node: module.
 */
const limits = readJson(path.join(root, 'scripts/check/size-limits.json'));
const folders = new Map(members('packages').map(({ folder, manifest }) => [manifest.name, folder]));

for (const [entry, { limitKb, platform }] of Object.entries(limits)) {
  const [scope, name, ...rest] = entry.split('/');
  const folder = folders.get(`${scope}/${name}`);
  if (folder === undefined) throw new Error(`size-limits.json: there is no package of ${entry}`);
  const file = path.join(folder, 'dist', ...rest, 'index.js');
  const sizeKb = existsSync(file) ? await weigh(file, platform) : Number.POSITIVE_INFINITY;
  const isWithin = sizeKb <= limitKb;
  if (!isWithin) process.exitCode = 1;
  console.log(`${isWithin ? 'ok' : 'TOO LARGE'}  ${entry}  ${sizeKb.toFixed(1)} of ${limitKb} KB`);
}

async function weigh(file, platform) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents).length / 1024;
}
