import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, root } from './workspace.mjs';

/** Writes the JavaScript of a folder's TypeScript into its `dist`, as the build does, but without types and tests: for programs that run now. */
export async function transpile(folder) {
  // Loaded here, since the setup also runs where nothing is installed yet.
  const { build } = await import('esbuild');
  const outbase = [path.join(folder, 'src'), folder].find((one) => existsSync(one));
  const { outputFiles } = await build({
    entryPoints: [...filesBelow(outbase, isSource)],
    outbase,
    outdir: path.join(folder, 'dist'),
    ...{ write: false, format: 'esm', platform: 'node', target: 'node20.19' },
    ...{ sourcemap: true, sourcesContent: false, logLevel: 'error' },
    tsconfig: path.join(root, 'tsconfig.base.json'),
  });
  for (const { path: file, text } of outputFiles) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll(relativeImport, '$1.js$2'));
  }
}

const isSource = (name) => /\.ts$/.test(name) && !/\.(test|test-d|config|d)\.ts$/.test(name);
/** As esbuild writes them. */
const relativeImport = /(\b(?:from|import) ?\(? ?"\.[^"\n]*)\.ts(")/g;
