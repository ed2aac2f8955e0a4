import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, root } from './workspace.mjs';

/**
 * Writes the JavaScript of a folder's TypeScript into its `dist`, file by file, as the build does, but without reading types: for
 * programs that run now. Tests are left out.
 */
export async function transpile(folder) {
  // Loaded here, since the setup also runs where nothing is installed yet.
  const { build } = await import('esbuild');
  const src = path.join(folder, 'src');
  const outbase = existsSync(src) ? src : folder;
  const { outputFiles } = await build({
    entryPoints: [...filesBelow(outbase, isSource)],
    outbase,
    outdir: path.join(folder, 'dist'),
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
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
