import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publicPackages, readJson, root } from '../setup/workspace.mjs';

/**
 * What an entry costs in a bundle, dependencies included, minified and gzipped. `size-limits.json` names the entries that are watched and
 * their limits in KB (what they weighed and a fifth more). They are for a browser, too: a node: module is an error.
 */
const limits = readJson(path.join(root, 'scripts/check/size-limits.json'));

for (const [entry, limitKb] of Object.entries(limits)) {
  const sizeKb = await weigh(fileOf(entry)).catch(() => Number.POSITIVE_INFINITY);
  const isWithin = sizeKb <= limitKb;
  if (!isWithin) process.exitCode = 1;
  console.log(`${isWithin ? 'ok' : 'TOO LARGE'}  ${entry}  ${sizeKb.toFixed(1)} of ${limitKb} KB`);
}

function fileOf(entry) {
  const name = entry.split('/').slice(0, 2).join('/');
  const { folder, manifest } = publicPackages().find((one) => one.manifest.name === name);
  const target = manifest.exports[`.${entry.slice(name.length)}`];
  return path.join(folder, target.default);
}

async function weigh(file) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' };
  const { outputFiles } = await build({ entryPoints: [file], ...options, logLevel: 'error' });
  return gzipSync(outputFiles[0].contents).length / 1024;
}
