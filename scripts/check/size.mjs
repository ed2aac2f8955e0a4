import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publicPackages, readJson, root } from '../setup/workspace.mjs';

/**
 * What an entry costs in a bundle, dependencies included, minified and gzipped. `size-limits.json` names the entries that are watched and
 * their limits in KB (what they weighed and a fifth more); those for a browser must bundle with no node: module.
 */
const limits = readJson(path.join(root, 'scripts/check/size-limits.json'));

for (const [entry, { limitKb, platform }] of Object.entries(limits)) {
  const sizeKb = await weigh(fileOf(entry), platform).catch(() => Number.POSITIVE_INFINITY);
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

async function weigh(file, platform) {
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform };
  const { outputFiles } = await build({ entryPoints: [file], ...options, logLevel: 'error' });
  return gzipSync(outputFiles[0].contents).length / 1024;
}
