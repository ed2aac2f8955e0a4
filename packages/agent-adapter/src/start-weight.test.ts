import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

const isSource = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(isSource ? 'index.ts' : 'index.js', import.meta.url));

/** What is imported later is not loaded at the start. */
const laterStaysOut: Plugin = {
  name: 'later-stays-out',
  setup: (bundling) => {
    bundling.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** What stands in a bundle of the root, by file, and what the bundle imports. */
let atStart: Metafile['outputs'][string];

beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: [root],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: isSource ? ['@ctx/source'] : [],
    plugins: [laterStaysOut],
  });
  const [bundle] = Object.values(metafile.outputs);
  if (bundle === undefined) throw new Error('there is no bundle');
  atStart = bundle;
});

const filesAtStart = (): string[] =>
  Object.entries(atStart.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);

test('the root loads no SDK, no native module and no schemas at the start', () => {
  const names = filesAtStart().map(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
  );
  const libraries = new Set(names.filter((name) => name !== undefined));
  expect([...libraries].toSorted()).toEqual(['@noble/hashes', 'lru-cache']);
  const outside = atStart.imports.filter(({ kind }) => kind === 'import-statement');
  expect(outside.filter(({ path }) => !path.startsWith('node:'))).toEqual([]);
});

test('windows, summaries, checkpoints and stores are loaded when they are first used', () => {
  const heavy = /packages\/(?:compactor|store|relevance|transcripts)\/|\/window-session\//;
  const found = filesAtStart().filter((path) => heavy.test(path));
  const names = found.map((path) =>
    /packages\/(.+)\.[jt]s$/.exec(path)?.[1]?.replace(/\/(?:src|dist)\//, '/'),
  );
  // Of the store only defaults, the shape of an address and the decision when a flash save is due.
  expect(names.toSorted()).toEqual([
    'store/flash-save/flash-save-policy',
    'store/flash-save/should-flash-save',
    'store/outputs/output-id',
    'store/sessions/default-agent',
  ]);
  expect(filesAtStart().length).toBeLessThan(110);
  expect(atStart.bytes).toBeLessThan(180_000);
});
