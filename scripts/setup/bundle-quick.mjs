import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './workspace.mjs';

/** Stays outside: drivers with binaries, and stores that are seldom used. */
const external = [
  '@photostructure/sqlite',
  'better-sqlite3',
  '@ctx/store-fs',
  '@ctx/store-postgres',
];

/** What only some hooks need is loaded from its compiled parts. */
const loadedLater = /\/observe-transcript\.js$/;

/** By its name as a whole a library comes whole, with messages in fifty languages; as a name space only what is used of it. */
const takenWhole = "import { z } from 'zod';";

const keepSmall = {
  name: 'keep-small',
  setup(build) {
    build.onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      return { contents: text.replace(takenWhole, "import * as z from 'zod';"), loader: 'js' };
    });
    build.onResolve({ filter: loadedLater }, () => ({
      path: '../observe-transcript.js',
      external: true,
    }));
  },
};

/**
 * Puts what a hook loads into a few files beside its compiled parts, in `bundle/`: loading those one by one takes longer than a hook may.
 * Contract: the folder is there whole or not at all.
 */
export async function bundleQuick() {
  const folder = path.join(root, 'apps/cli/dist/hook');
  const entry = path.join(folder, 'quick.js');
  if (!existsSync(entry)) return;
  // Loaded here, since the setup also runs where nothing is installed yet.
  const { build } = await import('esbuild');
  const bundle = path.join(folder, 'bundle');
  const draft = `${bundle}.${process.pid}`;
  await build({
    entryPoints: [entry],
    outdir: draft,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    external,
    plugins: [keepSmall],
  });
  rmSync(bundle, { recursive: true, force: true });
  renameSync(draft, bundle);
}
