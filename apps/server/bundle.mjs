import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { noteThirdParties } from '../../scripts/setup/bundled-parts.mjs';

/** What the server alone uses of others: 2 of 33 MB are code that runs. */
export const bundled = [
  ...['@fastify/swagger', '@fastify/under-pressure', '@fastify/websocket'],
  ...['@modelcontextprotocol/server', '@opentelemetry/api', 'fastify', 'fastify-type-provider-zod'],
  ...['helmet', 'lru-cache', 'openapi-types', 'prom-client'],
];

/** Libraries in the older form of modules ask for node's own by `require`. */
const banner = {
  js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
};

/** Packages of ours, and what stands in their types, stay the user's own copies. */
const external = ['@ctx/*', 'openapi-fetch', 'zod'];

/** Bundles the entries and what they use of others into `dist/bundle`, which is packed. In the workspace `exports` names the parts. */
export async function bundle() {
  const dist = path.join(import.meta.dirname, 'dist');
  const draft = path.join(dist, `bundle.${process.pid}`);
  const names = ['index', 'records', 'client/index', 'what-if/replay-thread'];
  const { metafile } = await build({
    metafile: true,
    entryPoints: Object.fromEntries(names.map((name) => [name, path.join(dist, `${name}.js`)])),
    outdir: draft,
    ...{ bundle: true, splitting: true, platform: 'node', target: 'node20.19', format: 'esm' },
    // Names of functions stay, so that a stack can be read. Chunks are no deeper than the parts: they find files beside `dist`.
    ...{ minifyWhitespace: true, minifySyntax: true, logLevel: 'error', banner, external },
  });
  noteThirdParties(metafile, path.join(draft, 'THIRD-PARTIES.txt'));
  rmSync(path.join(dist, 'bundle'), { recursive: true, force: true });
  renameSync(draft, path.join(dist, 'bundle'));
}
