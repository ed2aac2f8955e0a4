import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundledParts } from '../../scripts/setup/bundled-parts.mjs';

/**
 * Bundles the adapter into `dist/bundle`: the root entry and all that it loads at once is one file, the other entries and what is
 * loaded later share theirs. What it uses of its neighbours comes along, so that importing it loads no more than that. Only what is
 * packed uses the bundle (`publishConfig.exports`): in the workspace `exports` names the parts. The folder is there whole or not at all.
 */
export async function bundle() {
  const folder = import.meta.dirname;
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const dist = path.join(folder, 'dist');
  const bundle = path.join(dist, 'bundle');
  const draft = `${bundle}.${process.pid}`;
  const later = new Map();
  const options = {
    outdir: draft,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'error',
  };
  const plugins = [installed(manifest), bundledParts];
  const root = { index: path.join(dist, 'index.js') };
  await build({ ...options, entryPoints: root, plugins: [loadedLater(later), ...plugins] });
  const others = { ...entryPoints(folder, manifest), ...Object.fromEntries(later) };
  await build({ ...options, entryPoints: others, splitting: true, plugins });
  rmSync(bundle, { recursive: true, force: true });
  renameSync(draft, bundle);
}

/** The entry points but for the root, by their place below `dist`. */
function entryPoints(folder, { exports }) {
  const targets = Object.entries(exports).filter(
    ([name, target]) => name !== '.' && target.default,
  );
  return Object.fromEntries(
    targets.map(([, target]) => [
      target.default.slice('./dist/'.length, -'.js'.length),
      path.join(folder, target.default),
    ]),
  );
}

/** What is imported later is a file of its own, noted in `later`. */
function loadedLater(later) {
  return {
    name: 'loaded-later',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const place = `later/${path.basename(file, '.js')}`;
        const part = path.resolve(resolveDir, file);
        if ((later.get(place) ?? part) !== part) throw new Error(`there are two files ${place}`);
        later.set(place, part);
        return { path: `./${place}.js`, external: true };
      });
    },
  };
}

/** What is installed beside the library, and the stores with their drivers, stays the user's own copy, and is loaded only where it is used. */
function installed({ dependencies = {}, peerDependencies = {} }) {
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  const outside = new Set(
    names.filter((name) => !name.startsWith('@ctx/') || name.startsWith('@ctx/store-')),
  );
  return {
    name: 'installed',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: name }) => {
        const isOutside = outside.has(name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
        return isOutside ? { path: name, external: true, sideEffects: false } : undefined;
      });
    },
  };
}
