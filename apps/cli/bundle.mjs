import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundledParts, bundledText, noteThirdParties } from '../../scripts/setup/bundled-parts.mjs';

const dist = path.join(import.meta.dirname, 'dist');

/** Stays outside: drivers with binaries, what is seldom used and brings much, and what finds files beside itself. */
const external = ['@photostructure/sqlite', 'better-sqlite3', '@ctx/store-postgres'];

/** What the bundles hold of others: those who install the command need not. */
export const bundled = ['@modelcontextprotocol/server', 'cli-table3', 'commander', 'picocolors'];

/** Libraries in the older form of modules ask for node's own by `require`. */
const banner = {
  js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
};

/** Parts of Node that most hooks never use, nor an agent's start: each is loaded when one of its names is read. */
const seldomUsed = ['node:fs/promises', 'node:worker_threads'];

/** The older form of modules, with what it has no word for. A script that V8 kept cannot import, so it requires. */
const commonJs = (seldom) => ({
  supported: { 'dynamic-import': false },
  format: 'cjs',
  splitting: false,
  // A function, as `kept-code.ts` calls it: the text is compiled as it is read.
  banner: {
    js: '(function (given, module, __filename) {(function (require, bundleUrl, resolveUrl) {',
  },
  footer: {
    js: `})(...((seldom, url) => [
(name) => (seldom.includes(name) ? new Proxy({}, { get: (_, key) => given(name)[key] }) : given(name)),
url(__filename).href,
(name) => url(given.resolve(name)).href,
])(${JSON.stringify(seldom)}, given('node:url').pathToFileURL))})`,
  },
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.resolve': 'resolveUrl' },
  outExtension: { '.js': '.cjs' },
  // The code that V8 kept of a bundle is found by this name.
  entryNames: '[name]-[hash]',
});

/** Commands that are called again and again and wait for little but their loading. `load-program.ts` names them, too. */
const oftenCalled = ['sessions', 'status'];

/** Leaves out all other commands: files that many share are cut into many pieces. */
const only = (commands) => ({
  name: 'only-some-commands',
  setup(build) {
    build.onResolve(
      { filter: /^\.\/commands\/[a-z-]+\/[a-z-]+\.js$/, namespace: 'file' },
      ({ path: name }) => {
        const isWanted = commands.includes(path.basename(name, '.js'));
        // Never loaded: whoever asks for another command gets the other bundle.
        return isWanted ? undefined : { path: name, external: true };
      },
    );
  },
});

/**
 * The names that a file imports from a package of ours, or that the entry of one takes from another file: as the compiler writes them, or
 * as esbuild does, which `npm start` builds with.
 */
const named = (word, from) => new RegExp(`^${word} \\{([^}]*)\\} from ['"](${from})['"];$`, 'gm');

/** One name of a package that is loaded on demand. */
const onDemand = /(const \{ (\w+) \} = await import\()['"](@ctx\/[^'"]+)['"]\)/g;

/** The file that each name of a package's entry comes from. */
function filesOfNames(entry) {
  const parts = readFileSync(entry, 'utf8').matchAll(named('(?:im|ex)port', `\\./[^'"]+`));
  return new Map(
    [...parts].flatMap(([, names, file]) =>
      wordsOf(names).map((name) => [name, path.join(path.dirname(entry), file)]),
    ),
  );
}

const wordsOf = (names) => names.split(',').flatMap((name) => name.trim() || []);

/** The imports of some names from a package, each from its own file where the entry only hands it on. */
function directly(names, name, files) {
  return wordsOf(names)
    .map((word) => {
      const file = files.get(word.split(' as ')[0]);
      return `import { ${word} } from ${JSON.stringify(file ?? name)};`;
    })
    .join(' ');
}

/**
 * Imports from the file that makes a thing, not from the entry of its package: what is loaded on demand needs all that an entry hands on
 * to be run, since this form of modules cannot tell what of it is used.
 */
const withoutEntries = {
  name: 'without-entries',
  setup(build) {
    const entries = new Map();
    const filesOf = async (name, resolveDir) => {
      const found = await build.resolve(name, { resolveDir, kind: 'import-statement' });
      return found.external || found.errors.length > 0 ? new Map() : filesOfNames(found.path);
    };
    build.onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path: file }) => {
      const text = bundledText(file);
      const imports = named('import', `@ctx/[^'"]+`);
      const names = [...text.matchAll(imports), ...text.matchAll(onDemand)].map((one) =>
        one.at(-1),
      );
      for (const name of names) {
        if (!entries.has(name)) entries.set(name, await filesOf(name, path.dirname(file)));
      }
      const contents = text
        .replace(imports, (_, names, name) => directly(names, name, entries.get(name)))
        .replace(onDemand, (_, start, word, name) => {
          const file = entries.get(name)?.get(word) ?? name;
          return `${start}${JSON.stringify(file)})`;
        });
      return { contents, loader: 'js' };
    });
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
 * `dist/fast/` one file with what an agent waits for at each step, in the form whose compiled code Node 20 can keep, too, and in `dist/agent/`
 * one of this form for `ctx run`, which starts an agent.
 * Each folder is there whole or not at all, one below `dist` like the folders of the sources, so that addresses of files made from `import.meta.url` hold in both.
 */
export async function bundle() {
  const fastPath = path.join(dist, 'hook/fast-path.js');
  // Names of functions stay, so that a stack can be read.
  const size = { minifyWhitespace: true, minifySyntax: true };
  const run = path.join(dist, 'run-command.js');
  await Promise.all([
    bundleOne(fastPath, {
      ...{ folder: 'fast', size: { minify: true, ...commonJs([...seldomUsed, 'node:zlib']) } },
      plugins: [withoutEntries],
    }),
    bundleStart(),
    bundleOne(run, { folder: 'bundle', size }),
    bundleOne(run, { folder: 'often', size, plugins: [only(oftenCalled)] }),
    bundleOne(run, {
      ...{ folder: 'agent', size: { minify: true, ...commonJs(seldomUsed) } },
      plugins: [only(['run']), withoutEntries],
    }),
  ]);
}

/** What starts the command, in the older form of modules, which Node loads in less time than its loader of the newer one takes to begin. */
async function bundleStart() {
  await build({
    ...{ entryPoints: [path.join(dist, 'bin.js')], outfile: path.join(dist, 'bin.cjs') },
    ...{ bundle: true, platform: 'node', target: 'node20.19', format: 'cjs', logLevel: 'error' },
    banner: { js: "const startUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'startUrl' },
    external: ['./hook/fast-path.js', './run-command.js'],
    plugins: [withoutEntries],
  });
}

async function bundleOne(entry, { folder: name, size, plugins = [] }) {
  const folder = path.join(dist, name);
  const draft = `${folder}.${process.pid}`;
  const { metafile } = await build({
    metafile: true,
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
    plugins: [serverOutside, ...plugins, bundledParts],
  });
  noteThirdParties(metafile, path.join(draft, 'THIRD-PARTIES.txt'));
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}
