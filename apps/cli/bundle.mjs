import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundledParts } from '../../scripts/setup/bundled-parts.mjs';

const dist = path.join(import.meta.dirname, 'dist');

/** Stays outside: drivers with binaries, what is seldom used and brings much, and what finds files beside itself. */
const external = [
  '@photostructure/sqlite',
  'better-sqlite3',
  '@ctx/store-postgres',
  '@modelcontextprotocol/server',
];

/** Libraries in the older form of modules ask for node's own by `require`. */
const banner = {
  js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
};

/** The older form of modules, with what it has no word for. A script that V8 kept cannot import, so it requires. */
const commonJs = {
  supported: { 'dynamic-import': false },
  format: 'cjs',
  splitting: false,
  banner: {
    js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href; const resolveUrl = (name) => require('node:url').pathToFileURL(require.resolve(name)).href;",
  },
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.resolve': 'resolveUrl' },
  outExtension: { '.js': '.cjs' },
  // The code that V8 kept of a bundle is found by this name.
  entryNames: '[name]-[hash]',
};

/** Commands that are called again and again and wait for little but their loading. `load-program.ts` names them, too. */
const oftenCalled = ['sessions', 'status'];

/** Leaves out the commands that are called seldom: files that many share are cut into many pieces. */
const onlyOftenCalled = {
  name: 'only-often-called',
  setup(build) {
    build.onResolve(
      { filter: /^\.\/commands\/[a-z-]+\/[a-z-]+\.js$/, namespace: 'file' },
      ({ path: name }) => {
        const isWanted = oftenCalled.includes(path.basename(name, '.js'));
        // Never loaded: whoever asks for another command gets the other bundle.
        return isWanted ? undefined : { path: name, external: true };
      },
    );
  },
};

/** The server comes with fastify; what it says about its records and answers is light and comes along. */
const serverOutside = {
  name: 'server-outside',
  setup(build) {
    build.onResolve({ filter: /^@ctx\/server(\/client)?$/ }, ({ path: name }) => ({
      path: name,
      external: true,
    }));
  },
};

/**
 * Puts what a command loads into few files beside its compiled parts, since loading those one by one takes longer than most commands:
 * in `dist/bundle/` a file for each command and what commands share, in `dist/often/` the same for those that are called often, and in
 * `dist/fast/` one file with what an agent waits for at each step, in the form whose compiled code Node 20 can keep, too.
 * Each folder is there whole or not at all, one below `dist` like the folders of the sources, so that addresses of files made from `import.meta.url` hold in both.
 */
export async function bundle() {
  const fastPath = path.join(dist, 'hook/fast-path.js');
  // Names of functions stay, so that a stack can be read.
  const size = { minifyWhitespace: true, minifySyntax: true };
  const run = path.join(dist, 'run-command.js');
  await Promise.all([
    bundleOne(fastPath, { folder: 'fast', size: { minify: true, ...commonJs } }),
    bundleOne(run, { folder: 'bundle', size }),
    bundleOne(run, { folder: 'often', size, plugins: [onlyOftenCalled] }),
  ]);
}

async function bundleOne(entry, { folder: name, size, plugins = [] }) {
  const folder = path.join(dist, name);
  const draft = `${folder}.${process.pid}`;
  await build({
    entryPoints: [entry],
    outdir: draft,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    banner,
    external,
    ...size,
    plugins: [serverOutside, bundledParts, ...plugins],
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}
