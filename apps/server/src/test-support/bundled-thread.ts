import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const cache = fileURLToPath(new URL('../../node_modules/.cache/ctx-server/', import.meta.url));

/** The program of replays, made of the sources: plain node runs no TypeScript. */
export async function bundledThread(): Promise<URL> {
  mkdirSync(cache, { recursive: true });
  const outfile = `${cache}replay-thread-${String(process.pid)}.mjs`;
  await build({
    entryPoints: [fileURLToPath(new URL('../what-if/replay-thread.ts', import.meta.url))],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    conditions: ['@ctx/source'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return pathToFileURL(outfile);
}
