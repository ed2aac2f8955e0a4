import { readFileSync } from 'node:fs';

/**
 * Returns what a bundle takes for a compiled file. By its name as a whole zod comes whole, with messages in fifty languages; as a name
 * space only what is used of it. The tokenizer is found from the package that depends on it.
 */
export function bundledText(file) {
  return readFileSync(file, 'utf8')
    .replace(/^import \{ z \} from ['"]zod['"];$/m, "import * as z from 'zod';")
    .replace('createRequire(import.meta.url)', "createRequire(import.meta.resolve('@ctx/tokens'))");
}

/** A plugin of esbuild that does so. */
export const bundledParts = {
  name: 'bundled-parts',
  setup(build) {
    build.onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path: file }) => ({
      contents: bundledText(file),
      loader: 'js',
    }));
  },
};
